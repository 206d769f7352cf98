import { AuditActor } from '@/components/audit/audit-actor'
import { Link } from '@/components/ui/link'
import { Time } from '@/components/ui/time'
import type { Version } from './history-queries'

/** Who made a version, when, and how where that is not simply by the API or the console. */
export function VersionOrigin({ version }: { version: Version }) {
  const { at, by, kind, action, install } = version
  if (kind === 'earlier')
    return <span className="text-muted-foreground">before the oldest version that is kept</span>
  const way = action ? WAYS[action] : undefined
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 leading-5 text-muted-foreground">
      <Time value={at} relative />
      <Author by={by} />
      {install ? <Install install={install} /> : way && <span>{way}</span>}
    </span>
  )
}

function Author({ by }: Pick<Version, 'by'>) {
  if (by?.type) return <AuditActor actorType={by.type} actorName={by.name} />
  if (by) return <span className="truncate">{by.name}</span>
  return (
    <span title="Nothing of the engine did it: a statement in the database itself">
      outside the engine
    </span>
  )
}

function Install({ install }: { install: NonNullable<Version['install']> }) {
  const { id, kind, pluginName, version } = install
  return (
    <Link href={`/plugins/history/${id}`} className="text-primary hover:underline">
      {kind === 'rollback' ? 'rollback of' : 'by'} {pluginName ?? 'a plugin'} {version}
    </Link>
  )
}

/** Of the actions of the audit log, where the kind of the version does not say it. */
const WAYS: Record<string, string> = {
  'records.import': 'by an import',
  'records.restore': 'from the trash',
}

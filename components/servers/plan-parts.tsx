import { countOf } from '@/components/ui/number'
import { Badge, Status, type Tone } from '@/components/ui/status'
import type { PromotionPlan } from '@/lib/servers/contract'

/** What a promotion would do, part by part. */
export const PlanParts = ({ plan }: { plan: PromotionPlan }) => (
  <>
    {plan.plugins.map((plugin) => (
      <PluginPart key={plugin.id} plugin={plugin} />
    ))}
    {plan.settings.length > 0 && (
      <Part title="Made beside plugins">
        <ul className="grid gap-1">
          {plan.settings.map(({ change, name }) => (
            <li key={`${change} ${name}`} className="flex items-center gap-2">
              <Status tone={change === 'create' ? 'success' : 'warning'}>
                {change === 'create' ? 'Created' : 'Changed'}
              </Status>
              <span className="min-w-0 break-words">{name}</span>
            </li>
          ))}
        </ul>
      </Part>
    )}
    <Names title="To be filled in by hand afterwards" names={plan.missing} />
    <Names
      title="Configured otherwise, in the environment of each server"
      names={plan.environment.map(
        ({ label, variable, source, target }) =>
          `${label} (${variable}): the source has ${source}, the target ${target}`,
      )}
    />
    <Names title="The target alone has, and keeps" names={plan.alone} />
  </>
)

function Part({ title, children }: { title: React.ReactNode; children: React.ReactNode }) {
  return (
    <section className="grid gap-2 rounded-lg border p-3">
      <h3 className="flex flex-wrap items-center gap-2 font-medium">{title}</h3>
      {children}
    </section>
  )
}

const Names = ({ title, names }: { title: string; names: string[] }) =>
  names.length === 0 ? null : (
    <Part title={title}>
      <ul className="grid gap-1 text-[13px] text-muted-foreground">
        {names.map((name) => (
          <li key={name} className="break-words">
            {name}
          </li>
        ))}
      </ul>
    </Part>
  )

type Plugin = PromotionPlan['plugins'][number]
type File = Plugin['files'][number]

function PluginPart({
  plugin: { id, name, version, installedVersion, failed, files },
}: {
  plugin: Plugin
}) {
  const versions = [installedVersion, version].filter(Boolean)
  return (
    <Part
      title={
        <>
          <span className="min-w-0 break-words">{name}</span>
          {name !== id && <Badge className="font-mono">{id}</Badge>}
          {versions.length > 0 && <Badge>{[...new Set(versions)].join(' → ')}</Badge>}
          {installedVersion === null && <Status tone="success">New here</Status>}
          {failed > 0 && <Status tone="destructive">{countOf(failed, 'file')} would fail</Status>}
        </>
      }
    >
      <ul className="grid gap-2">
        {files.map((file) => (
          <FilePart key={file.path} file={file} />
        ))}
      </ul>
    </Part>
  )
}

const TONES: Record<string, Tone> = {
  created: 'success',
  updated: 'warning',
  failed: 'destructive',
}

const FilePart = ({ file }: { file: File }) => (
  <li className="grid gap-1 text-[13px]">
    <span className="flex flex-wrap items-center gap-2">
      <Status tone={TONES[file.status] ?? 'neutral'}>{file.status}</Status>
      <span className="min-w-0 break-words font-medium">{file.target ?? file.path}</span>
      <span className="text-muted-foreground">{countsOf(file)}</span>
    </span>
    {file.error && <span className="break-words text-destructive">{file.error}</span>}
    {[...file.details, ...file.changes].map((text) => (
      <span key={text} className="break-words text-muted-foreground">
        {text}
      </span>
    ))}
    {file.conflicts.map(({ key, decision, fields }) => (
      <div key={key} className="rounded-md bg-warning-soft px-2 py-1.5">
        <span className="font-mono text-xs break-all">{key}</span>{' '}
        <span className="text-muted-foreground">({decision})</span>
        {fields.map(({ field, target, source }) => (
          <p key={field} className="break-words">
            {field}: the target has <code className="text-xs">{target}</code>, the source{' '}
            <code className="text-xs">{source}</code>
          </p>
        ))}
      </div>
    ))}
    {file.conflictCount > file.conflicts.length && (
      <span className="text-muted-foreground">
        and {file.conflictCount - file.conflicts.length} more conflicts
      </span>
    )}
  </li>
)

function countsOf({ kind, created, updated, deleted, conflictCount }: File): string {
  const unit = kind === 'data' ? 'record' : 'definition'
  return [
    created > 0 && `${countOf(created, unit)} created`,
    updated > 0 && `${countOf(updated, unit)} changed`,
    deleted > 0 && `${countOf(deleted, unit)} deleted`,
    conflictCount > 0 && `${conflictCount} in conflict`,
  ]
    .filter(Boolean)
    .join(', ')
}

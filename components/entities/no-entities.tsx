import { DatabaseIcon, LockIcon } from 'lucide-react'
import { useCan, useViewer } from '@/components/shell/viewer'
import { holderOf } from '@/components/shell/viewer-of'
import { Link } from '@/components/ui/link'
import { EmptyState } from '@/components/ui/state'
import { canForSome } from '@/lib/auth/rights'

type Props = {
  /** The page takes files for new entities itself. */
  takesFiles?: boolean
}

/** In place of entities: there are none yet, or none that the user may see. */
export function NoEntities({ takesFiles = false }: Props) {
  const viewer = useViewer()
  const mayInstall = useCan('plugins:install')
  if (!canForSome(holderOf(viewer), 'read')) return <NoRights roles={viewer.roles} />
  return (
    <EmptyState icon={DatabaseIcon} title="No entities yet">
      {mayInstall ? (
        <>
          <Link href="/plugins" className={LINK}>
            Install a plugin
          </Link>{' '}
          that brings some, or{' '}
          {takesFiles ? (
            'make one with “New entity”, or from a CSV, XLSX or JSON file with “New entity from a file”.'
          ) : (
            <>
              <Link href="/entities" className={LINK}>
                make one from a file
              </Link>
              .
            </>
          )}
        </>
      ) : (
        'They come with plugins. An administrator can install them.'
      )}
    </EmptyState>
  )
}

const LINK = 'text-primary underline underline-offset-2'

const LIST = new Intl.ListFormat('en', { type: 'conjunction' })

const NoRights = ({ roles }: { roles: readonly string[] }) => (
  <EmptyState icon={LockIcon} title="You don’t have access to any records">
    {roles.length === 1 ? 'Your role' : 'Your roles'}{' '}
    <span className="font-medium">{LIST.format(roles)}</span>{' '}
    {roles.length === 1 ? 'gives' : 'give'} no right to read records. Ask an administrator for
    another role.
  </EmptyState>
)

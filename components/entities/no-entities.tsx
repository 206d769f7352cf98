import { DatabaseIcon, LockIcon } from 'lucide-react'
import { useCan, useViewer } from '@/components/shell/viewer'
import { holderOf } from '@/components/shell/viewer-of'
import { Link } from '@/components/ui/link'
import { EmptyState } from '@/components/ui/state'
import { canForSome } from '@/lib/auth/rights'

/** In place of entities: there are none yet, or none that the user may see. */
export function NoEntities() {
  const viewer = useViewer()
  const mayInstall = useCan('plugins:install')
  if (!canForSome(holderOf(viewer), 'read')) return <NoRights roles={viewer.roles} />
  return (
    <EmptyState icon={DatabaseIcon} title="No entities yet">
      They come with plugins.{' '}
      {mayInstall ? (
        <>
          <Link href="/plugins" className="text-primary underline underline-offset-2">
            Install one
          </Link>{' '}
          to see its entities here.
        </>
      ) : (
        'An administrator can install them.'
      )}
    </EmptyState>
  )
}

const LIST = new Intl.ListFormat('en', { type: 'conjunction' })

const NoRights = ({ roles }: { roles: readonly string[] }) => (
  <EmptyState icon={LockIcon} title="You don’t have access to any records">
    {roles.length === 1 ? 'Your role' : 'Your roles'}{' '}
    <span className="font-medium">{LIST.format(roles)}</span>{' '}
    {roles.length === 1 ? 'gives' : 'give'} no right to read records. Ask an administrator for
    another role.
  </EmptyState>
)

import { useQuery } from '@tanstack/react-query'
import { EyeIcon } from 'lucide-react'
import { entitiesOptions } from '@/components/entities/entity-queries'
import { useCan } from '@/components/shell/viewer'
import { buttonClass } from '@/components/ui/button'

/** Of an entity, as a role, a user or a key sees it: `role:Clerk`, `user:<id>`, `key:<id>`. */
export const viewAsHref = (entity: string, as: string): string =>
  `/entities/${encodeURIComponent(entity)}?as=${encodeURIComponent(as)}`

type Props = { as: string; name: string; size?: 'sm' }

/**
 * Opens the first entity as somebody else sees it, from where the others are reached. It loads the page anew: what was
 * fetched for the one must not be shown as what the other sees.
 */
export function ViewAsLink({ as, name, size }: Props) {
  const mayView = useCan('security:manage')
  const { data } = useQuery(entitiesOptions)
  const first = data?.data[0]?.name
  if (!first || !mayView) return null
  return (
    <a href={viewAsHref(first, as)} className={buttonClass({ size }, 'max-w-full')}>
      <EyeIcon aria-hidden />
      <span className="truncate">View as {name}</span>
    </a>
  )
}

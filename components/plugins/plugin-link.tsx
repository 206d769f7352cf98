import { useCan } from '@/components/shell/viewer'
import { cn } from '@/components/ui/cn'
import { Link } from '@/components/ui/link'
import { usePluginNames } from './plugin-names'

/** The name of a plugin; a link to it for those who may see its page. */
export function PluginLink({ id, className }: { id: string; className?: string }) {
  const mayRead = useCan('plugins:read')
  const name = usePluginNames()(id)
  if (!mayRead) return <span className={className}>{name}</span>
  return (
    <Link href={`/plugins/${encodeURIComponent(id)}`} className={cn(className, 'hover:underline')}>
      {name}
    </Link>
  )
}

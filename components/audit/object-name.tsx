import { Link } from '@/components/ui/link'
import type { NamedObject } from './object-names'

/** The object of an entry, and the way to it. */
export function ObjectName({ object }: { object: NamedObject | null }) {
  if (!object) return <span className="sr-only">Loading</span>
  if (!object.href) return <>{object.name}</>
  return (
    <Link href={object.href} className="hover:underline">
      {object.name}
    </Link>
  )
}

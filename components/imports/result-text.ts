import { formatCount } from '@/components/ui/number'
import type { Import } from '@/lib/import/contract'

type Counts = Pick<Import, 'created' | 'updated' | 'unchanged' | 'refused'>

/** `1,200 created, 30 updated, 4 refused`; only what there is. */
export function resultText({ created, updated, unchanged, refused }: Counts): string {
  const parts = [
    [created, 'created'],
    [updated, 'updated'],
    [unchanged, 'unchanged'],
    [refused, 'refused'],
  ] as const
  const given = parts.filter(([count]) => count > 0)
  return given.map(([count, word]) => `${formatCount(count)} ${word}`).join(', ') || 'no records'
}

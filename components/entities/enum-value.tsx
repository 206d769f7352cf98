import { Badge } from '@/components/ui/status'
import { TINTS, TintedBadge } from '@/components/ui/tinted-badge'
import { plainText } from '@/lib/values/exact-json'
import type { ColumnDescription } from './types'

/** One of the values that a field allows: its colour is its place among them. */
export function EnumValue({ text, rules }: { text: string } & Pick<ColumnDescription, 'rules'>) {
  const allowed = rules.enum ?? []
  const place = allowed.findIndex((one) => plainText(one) === text)
  // Colours that repeat would mean nothing.
  if (place < 0 || allowed.length > TINTS) return <Badge>{text}</Badge>
  return <TintedBadge tint={place}>{text}</TintedBadge>
}

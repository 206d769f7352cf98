'use client'
import { ImageIcon } from 'lucide-react'
import { Picture } from '@/components/images/picture'
import type { ExactJson } from '@/lib/values/exact-json'
import { useImage } from '../image-by-reference'
import { ownImage, refersToImage, smallImage } from '../own-image'
import type { ColumnDescription } from '../types'

type Props = { value: ExactJson | undefined; column?: ColumnDescription }

/** The image of a card: one of this system, by address or by reference; no stranger's server is asked for others. */
export function CardImage({ value, column }: Props) {
  const reference = column?.rules.reference
  const first = Array.isArray(value) ? value[0] : value
  if (refersToImage(reference) && typeof first === 'string')
    return <Referred field={reference.field} value={first} />
  return <Shown address={ownImage(first)} />
}

const Referred = ({ field, value }: { field: string; value: string }) => (
  <Shown address={useImage(field, value)} />
)

const Shown = ({ address }: { address: string | null }) => (
  <span className="grid aspect-[4/3] overflow-hidden rounded-md bg-muted">
    {address ? (
      <Picture src={smallImage(address, 512)} className="size-full object-cover" />
    ) : (
      <ImageIcon
        aria-hidden
        strokeWidth={1.25}
        className="m-auto size-7 text-muted-foreground/60"
      />
    )}
  </span>
)

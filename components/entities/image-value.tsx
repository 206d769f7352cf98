import type { ReactNode } from 'react'
import { Picture } from '@/components/images/picture'
import { sourceOf } from '@/components/images/source-of'
import { cn } from '@/components/ui/cn'
import { smallImage } from './own-image'

type Props = { address: string; full?: boolean; children: ReactNode }

/** An image of this system beside what names it: small in a cell, to be recognised in a panel. */
export const WithImage = ({ address, full, children }: Props) => (
  <span
    className={cn('flex min-w-0', full ? 'flex-col items-start gap-1.5' : 'items-center gap-2')}
  >
    <Picture
      src={smallImage(address, full ? 512 : 64)}
      className={cn(
        'shrink-0 border bg-muted',
        full ? 'h-40 w-60 max-w-full rounded-lg object-contain' : 'size-6 rounded object-cover',
      )}
    />
    <span className="max-w-full min-w-0 truncate">{children}</span>
  </span>
)

/** An image by its address, which a click opens whole. */
export const ImageValue = ({ address, full }: { address: string; full?: boolean }) => (
  <WithImage address={address} full={full}>
    <a
      href={sourceOf(address)}
      target="_blank"
      rel="noreferrer noopener"
      title={address}
      className="text-primary underline-offset-2 hover:underline"
    >
      {address.slice(address.lastIndexOf('/') + 1)}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  </WithImage>
)

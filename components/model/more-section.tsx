import { ChevronRightIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'

type Props = {
  title: string
  /** Something in it has a value, so it is open at first. */
  isUsed: boolean
  children: ReactNode
}

/** A part of a form that few need. */
export function MoreSection({ title, isUsed, children }: Props) {
  const [startsOpen] = useState(isUsed)
  return (
    <details open={startsOpen} className="group border-t pt-3 sm:col-span-2">
      <summary className="flex w-fit cursor-pointer list-none items-center gap-1 rounded text-[13px] font-medium [&::-webkit-details-marker]:hidden">
        <ChevronRightIcon
          aria-hidden
          className="size-3.5 text-muted-foreground group-open:rotate-90"
        />
        {title}
      </summary>
      <div className="mt-3 grid items-start gap-4 sm:grid-cols-2">{children}</div>
    </details>
  )
}

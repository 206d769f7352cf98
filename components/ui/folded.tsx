import { type ReactNode, useId, useState } from 'react'
import { Button } from './button'

/** More characters fold. */
const MAX_CHARACTERS = 600

type Props = { characters: number; children: ReactNode }

/** What is long is shown by its beginning until asked for; on paper it is whole. */
export function Folded({ characters, children }: Props) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  if (characters <= MAX_CHARACTERS) return children
  return (
    <div className="grid justify-items-start gap-1">
      <div
        id={id}
        data-folded={isOpen ? undefined : ''}
        className="w-full data-folded:max-h-44 data-folded:overflow-hidden data-folded:mask-b-from-75%"
      >
        {children}
      </div>
      <Button
        size="sm"
        variant="ghost"
        className="-ml-2"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Show less' : 'Show more'}
      </Button>
    </div>
  )
}

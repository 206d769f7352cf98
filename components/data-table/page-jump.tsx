'use client'
import { useId, useState } from 'react'
import { cn } from '@/components/ui/cn'
import { controlClass } from '@/components/ui/control'
import { formatCount } from '@/components/ui/number'

type Props = { page: number; pages: number; onPage: (page: number) => void }

/** A number to type: Enter goes to that page, or to the last one where there are fewer. */
export function PageJump({ page, pages, onPage }: Props) {
  const [text, setText] = useState('')
  const id = useId()
  return (
    <form
      className="flex items-center gap-2 text-muted-foreground"
      onSubmit={(event) => {
        event.preventDefault()
        const wanted = pageIn(text, pages)
        setText('')
        if (wanted !== null && wanted !== page) onPage(wanted)
      }}
    >
      <label htmlFor={id} className="sr-only @4xl/pages:not-sr-only">
        Go to page
      </label>
      <input
        id={id}
        inputMode="numeric"
        autoComplete="off"
        placeholder={String(page)}
        title={`From 1 to ${formatCount(pages)}`}
        value={text}
        onChange={(event) => setText(event.target.value.replace(/\D/g, ''))}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && text !== '') {
            event.stopPropagation()
            setText('')
          }
        }}
        className={cn(controlClass, 'tabular h-7 w-16 px-2 py-0 text-[13px]')}
      />
    </form>
  )
}

/** The page that a text names, between the first and the last; null for none. */
export function pageIn(text: string, pages: number): number | null {
  const wanted = Number.parseInt(text, 10)
  return Number.isNaN(wanted) ? null : Math.min(Math.max(1, wanted), Math.max(1, pages))
}

'use client'
import { SearchIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { cn } from '@/components/ui/cn'
import { controlClass } from '@/components/ui/control'
import type { ListState } from './use-list-state'

const TYPING_MS = 250

/** Plain search; the list follows when the typing pauses. */
export function SearchBox({ list, label }: { list: ListState; label: string }) {
  const [text, setText] = useState(list.q)
  const [seen, setSeen] = useState(list.q)
  const [sent, setSent] = useState(list.q)
  // The address changed by other means than typing: going back, clearing the filter.
  if (list.q !== seen) {
    setSeen(list.q)
    if (list.q !== sent) {
      setSent(list.q)
      setText(list.q)
    }
  }
  const { setSearch } = list
  useEffect(() => {
    if (text === sent) return
    const timer = setTimeout(() => {
      setSent(text)
      setSearch(text)
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [text, sent, setSearch])
  return (
    <div className="relative min-w-24 flex-1 sm:w-72 sm:flex-none">
      <SearchIcon
        aria-hidden
        className="absolute top-1/2 left-2 size-3.5 -translate-y-1/2 text-muted-foreground"
      />
      <input
        type="search"
        data-page-search
        aria-label={label}
        placeholder={label}
        value={text}
        className={cn(controlClass, 'h-7 pl-7 text-[13px]')}
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  )
}

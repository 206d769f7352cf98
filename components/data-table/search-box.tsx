import { SearchIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { type ClipboardEvent, useEffect, useId, useState } from 'react'
import { cn, controlClass } from '@/components/ui/cn'
import type { Condition } from './filter/condition'
import type { FilterField } from './filter/field'
import { looksTyped } from './filter/looks-typed'
import type { ListState } from './use-list-state'

const TypedHint = dynamic(() => import('./filter/typed-hint'), { ssr: false })
const loadParser = () => import('./filter/parse-typed')

const TYPING_MS = 250

type Props = {
  list: ListState
  label: string
  /** What may be typed. */
  hint?: string
  /** Without fields nothing is filtered by, so nothing typed is a condition. */
  fields?: readonly FilterField[]
}

const NO_FIELDS: readonly FilterField[] = []

/**
 * Plain search; the list follows when the typing pauses. `field:operator:value` is not searched for: Enter makes it a
 * condition, pasting does so immediately.
 */
export function SearchBox({ list, label, hint, fields = NO_FIELDS }: Props) {
  const [text, setText] = useState(list.q)
  const [seen, setSeen] = useState(list.q)
  const [sent, setSent] = useState(list.q)
  const hintId = useId()
  // The address changed by other means than typing: going back, clearing the filter.
  if (list.q !== seen) {
    setSeen(list.q)
    if (list.q !== sent) {
      setSent(list.q)
      setText(list.q)
    }
  }
  const isTyped = looksTyped(text, fields)
  const searched = isTyped ? '' : text
  const { setSearch } = list
  useEffect(() => {
    if (searched === sent) return
    const timer = setTimeout(() => {
      setSent(searched)
      setSearch(searched)
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [searched, sent, setSearch])
  const add = (conditions: Condition[]) => {
    list.setFilter([...list.filter, ...conditions])
    setText('')
  }
  /** Makes what is typed a condition; one with a fault stays in the box, with the reason below it. */
  const accept = async (typed: string) => {
    const conditions = (await loadParser()).soundConditions(typed, fields)
    if (conditions) add(conditions)
    else setText(typed)
  }
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text').trim()
    if (text !== '' || !looksTyped(pasted, fields)) return
    event.preventDefault()
    void accept(pasted)
  }
  return (
    <div className="group relative min-w-24 flex-1 sm:w-72 sm:flex-initial">
      <SearchIcon
        aria-hidden
        className="absolute top-1/2 left-2 size-3.5 -translate-y-1/2 text-muted-foreground"
      />
      <input
        type="search"
        dir="auto"
        data-page-search
        aria-label={label}
        aria-describedby={isTyped ? hintId : undefined}
        placeholder={label}
        title={hint}
        value={text}
        className={cn(controlClass, 'h-7 pl-7 text-[13px]')}
        onFocus={loadParser}
        onChange={(event) => setText(event.target.value)}
        onPaste={onPaste}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && isTyped) void accept(text)
        }}
      />
      {isTyped && <TypedHint id={hintId} text={text} fields={fields} onAdd={add} />}
    </div>
  )
}

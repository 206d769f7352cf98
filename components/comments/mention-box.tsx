import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import { cn, controlClass, itemClass, popupClass } from '@/components/ui/cn'
import { useOwnEscape } from '@/components/ui/use-own-escape'
import { mentionAt, withMention } from './mention-at'
import { usePeople } from './use-people'

type Props = {
  box: RefObject<HTMLTextAreaElement | null>
  label: string
  hint: string
  value: string
  onChange: (text: string) => void
  /** Ctrl or ⌘ and Enter. */
  onSubmit: () => void
  commenters: readonly string[]
}

/** A text in which people are mentioned: after `@` it offers those who may be meant. */
export function MentionBox({ box, label, hint, value, onChange, onSubmit, commenters }: Props) {
  const id = useId()
  const [caret, setCaret] = useState<number | null>(null)
  const [dismissed, setDismissed] = useState<number | null>(null)
  const [active, setActive] = useState(0)
  const moved = useRef<number | null>(null)
  const typed = caret === null ? null : mentionAt(value, caret)
  const found = usePeople(typed && typed.start !== dismissed ? typed.term : null, commenters)
  // Nothing is left to offer for what is typed to its end.
  const people = found.includes(typed?.term.toLowerCase() ?? '') ? NONE : found
  const isOpen = people.length > 0
  const at = Math.min(active, people.length - 1)
  const optionId = (index: number) => `${id}-${index}`
  useLayoutEffect(() => {
    if (moved.current === null) return
    box.current?.setSelectionRange(moved.current, moved.current)
    moved.current = null
  })
  const choose = (email: string | undefined) => {
    if (!typed || email === undefined) return
    const done = withMention(value, typed, email)
    moved.current = done.caret
    onChange(done.text)
    setCaret(done.caret)
    setActive(0)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      onSubmit()
      return
    }
    if (!isOpen) return
    const step = STEPS[event.key]
    const isChosen = (event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey
    if (step === undefined && !isChosen) return
    event.preventDefault()
    if (isChosen) choose(people[at])
    else setActive((at + (step ?? 0) + people.length) % people.length)
  }
  return (
    <div className="relative">
      <textarea
        ref={box}
        dir="auto"
        rows={3}
        aria-label={label}
        aria-describedby={`${id}-hint`}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={isOpen ? `${id}-people` : undefined}
        aria-activedescendant={isOpen ? optionId(at) : undefined}
        className={cn(controlClass, 'block resize-y py-1.5')}
        value={value}
        onChange={({ currentTarget }) => {
          onChange(currentTarget.value)
          setCaret(currentTarget.selectionStart)
          setDismissed(null)
          setActive(0)
        }}
        onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
        onBlur={() => setCaret(null)}
        onKeyDown={onKeyDown}
      />
      <p id={`${id}-hint`} className="mt-1 text-xs text-muted-foreground">
        {hint}
      </p>
      <p role="status" className="sr-only">
        {isOpen ? `${people.length === 1 ? '1 person' : `${people.length} people`} to mention` : ''}
      </p>
      {isOpen && (
        <People
          id={`${id}-people`}
          {...{ people, at, optionId }}
          onChoose={choose}
          onEscape={() => setDismissed(typed?.start ?? null)}
        />
      )}
    </div>
  )
}

const NONE: readonly string[] = []

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

type PeopleProps = {
  id: string
  people: readonly string[]
  at: number
  optionId: (index: number) => string
  onChoose: (email: string) => void
  onEscape: () => void
}

function People({ id, people, at, optionId, onChoose, onEscape }: PeopleProps) {
  useOwnEscape(onEscape)
  return (
    <div
      id={id}
      role="listbox"
      aria-label="People to mention"
      className={cn(popupClass, 'absolute inset-x-0 top-full z-50 mt-1 max-h-56 overflow-y-auto')}
    >
      {people.map((email, index) => (
        <div
          key={email}
          id={optionId(index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          data-highlighted={index === at ? '' : undefined}
          className={itemClass}
          // The focus stays in the text.
          onMouseDown={(event) => {
            event.preventDefault()
            onChoose(email)
          }}
        >
          <span className="truncate">{email}</span>
        </div>
      ))}
    </div>
  )
}

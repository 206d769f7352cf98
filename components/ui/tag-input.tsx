import { Input as BaseInput } from '@base-ui/react/input'
import { XIcon } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { cn, controlClass } from './cn'
import { useCorrect } from './form-field'

type Props = {
  value: readonly string[]
  onValueChange: (value: string[]) => void
  /** Needed outside a label. */
  'aria-label'?: string
  'aria-describedby'?: string
  placeholder?: string
  suggestions?: readonly string[]
  invalid?: boolean
  className?: string
}

/** Several short texts. Enter or a comma adds one, Backspace takes the last away, pasted lines are split. */
export function TagInput({ value, suggestions = [], invalid, ...props }: Props) {
  const correct = useCorrect()
  const onValueChange = (next: string[]) => {
    correct()
    props.onValueChange(next)
  }
  const [text, setText] = useState('')
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const add = (input: string) => {
    const parts = input
      .split(/[,\n]/)
      .map((part) => part.trim())
      .filter(Boolean)
    if (parts.length > 0) onValueChange([...new Set([...value, ...parts])])
    setText('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === ',') {
      event.preventDefault() // Enter adds a tag here; it does not send the form
      add((event.target as HTMLInputElement).value)
    } else if (event.key === 'Backspace' && text === '') onValueChange(value.slice(0, -1))
  }
  const open = suggestions.filter((each) => !value.includes(each))
  return (
    <div
      className={cn(
        controlClass,
        'flex min-h-8 flex-wrap items-center gap-1 px-1 py-0.5 has-[input:focus-visible]:outline-2 has-[input:focus-visible]:-outline-offset-1 has-[input:focus-visible]:outline-ring',
        invalid && 'border-destructive',
        props.className,
      )}
    >
      {value.map((tag) => (
        <span
          key={tag}
          className="flex h-6 max-w-full items-center rounded bg-accent pl-1.5 text-[13px]"
        >
          <span className="truncate">{tag}</span>
          <button
            type="button"
            aria-label={`Remove ${tag}`}
            className="grid size-6 place-items-center rounded text-muted-foreground hover:text-foreground"
            onClick={() => {
              onValueChange(value.filter((each) => each !== tag))
              input.current?.focus()
            }}
          >
            <XIcon aria-hidden className="size-3" />
          </button>
        </span>
      ))}
      <BaseInput
        ref={input}
        list={listId}
        value={text}
        aria-label={props['aria-label']}
        aria-describedby={props['aria-describedby']}
        {...(invalid && { 'aria-invalid': true })}
        placeholder={value.length === 0 ? props.placeholder : undefined}
        autoComplete="off"
        className="h-6 min-w-20 flex-1 bg-transparent px-1.5 text-control outline-none placeholder:text-muted-foreground"
        onChange={(event) => {
          const typed = event.target.value
          if (open.includes(typed) || /[,\n]/.test(typed)) add(typed)
          else setText(typed)
        }}
        onKeyDown={onKeyDown}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text')
          if (!/[,\n]/.test(pasted)) return
          event.preventDefault()
          add(pasted)
        }}
        onBlur={() => add(text)}
      />
      <datalist id={listId}>
        {open.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </div>
  )
}

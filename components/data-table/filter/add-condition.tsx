import { Autocomplete } from '@base-ui/react/autocomplete'
import { PlusIcon } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { cn, controlClass, itemClass, popupClass } from '@/components/ui/cn'
import type { FieldCondition } from './condition'
import { describe, type FilterField } from './field'
import { initialCondition } from './initial-condition'
import { looksTyped } from './looks-typed'
import { parseTyped, soundConditions } from './parse-typed'

type Choice = { key: string; label: string; hint: string; conditions: FieldCondition[] }
type Props = {
  fields: readonly FilterField[]
  /** Shown as an open list of the fields rather than as a button. */
  startsOpen: boolean
  onAdd: (conditions: FieldCondition[]) => void
}

/** A button that becomes a list of the fields, in which a whole condition can be typed too. */
export function AddCondition({ fields, startsOpen, onAdd }: Props) {
  const [isChoosing, setChoosing] = useState(startsOpen)
  if (!isChoosing) {
    return (
      <Button size="sm" variant="ghost" onClick={() => setChoosing(true)}>
        <PlusIcon aria-hidden /> Condition
      </Button>
    )
  }
  return (
    <FieldChooser
      fields={fields}
      onChoose={(conditions) => {
        setChoosing(false)
        onAdd(conditions)
      }}
    />
  )
}

type ChooserProps = {
  fields: readonly FilterField[]
  onChoose: (conditions: FieldCondition[]) => void
}

function FieldChooser({ fields, onChoose }: ChooserProps) {
  const [text, setText] = useState('')
  const [open, setOpen] = useState(true)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const { choices, fault } = choicesFor(text, fields)
  return (
    <Autocomplete.Root
      items={choices}
      filter={null}
      autoHighlight="always"
      open={open}
      onOpenChange={setOpen}
      openOnInputClick
      value={text}
      onValueChange={setText}
      itemToStringValue={({ label }: Choice) => label}
    >
      <Autocomplete.Input
        ref={input}
        data-field-chooser
        aria-label="Field"
        placeholder="Field, or field:operator:value"
        autoComplete="off"
        className={cn(controlClass, 'h-8 w-72')}
        onPaste={(event) => {
          const pasted = soundConditions(event.clipboardData.getData('text'), fields)
          if (!pasted) return
          event.preventDefault()
          onChoose(pasted)
        }}
      />
      <Autocomplete.Portal>
        <Autocomplete.Positioner sideOffset={4} className="z-50">
          <Autocomplete.Popup className={cn(popupClass, 'w-(--anchor-width)')}>
            <Autocomplete.Empty className="px-2 py-1.5 text-[13px] text-destructive empty:hidden">
              {choices.length === 0 ? fault : null}
            </Autocomplete.Empty>
            <Autocomplete.List className="max-h-[min(18rem,var(--available-height))] overflow-y-auto">
              {(choice: Choice) => (
                <Autocomplete.Item
                  key={choice.key}
                  value={choice}
                  className={itemClass}
                  onClick={() => onChoose(choice.conditions)}
                >
                  <span className="truncate">{choice.label}</span>
                  {choice.hint && (
                    <span aria-hidden className="ml-auto pl-2 text-xs text-muted-foreground">
                      {choice.hint}
                    </span>
                  )}
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  )
}

const MAX_CHOICES = 200

/** The fields whose names hold the text; for a typed condition itself, or what is wrong with it. */
function choicesFor(text: string, fields: readonly FilterField[]) {
  if (looksTyped(text, fields)) return typedChoice(text, fields)
  const term = text.trim().toLowerCase()
  const choices = fields
    .filter(({ name, label = '' }) => `${label}\n${name}`.toLowerCase().includes(term))
    .slice(0, MAX_CHOICES)
    .map((field) => ({
      key: field.name,
      label: field.label ?? field.name,
      hint: field.label && field.label !== field.name ? field.name : '',
      conditions: [initialCondition(field)],
    }))
  return { choices, fault: `No field is called like “${text}”` }
}

function typedChoice(text: string, fields: readonly FilterField[]) {
  const typed = parseTyped(text, fields) ?? []
  const fault = typed.find((each) => each.fault)?.fault ?? null
  const meant = typed.map((each) => each.fault?.meant?.condition ?? each.condition)
  const label = meant.map((condition) => describe(condition, fields)).join(' and ')
  const isUsable = typed.length > 0 && typed.every((each) => !each.fault || each.fault.meant)
  const choice: Choice = { key: 'typed', label, hint: fault ? 'meant?' : '↵', conditions: meant }
  return {
    choices: isUsable ? [choice] : [],
    fault: fault?.reason ?? 'Write field:operator:value',
  }
}

import { type ClipboardEvent, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Kbd } from '@/components/ui/kbd'
import type { Condition, GroupCondition } from './condition'
import { type Faults, faultsOf } from './condition-faults'
import type { FilterField } from './field'
import { fromGroup, toGroup } from './group'
import { focusValue, GroupEditor } from './group-editor'
import { soundConditions } from './parse-typed'

type Props = {
  fields: readonly FilterField[]
  filter: readonly Condition[]
  /** What the server found wrong. */
  faults?: Faults
  /** The condition of `filter` whose value takes the focus. */
  focusAt?: number
  onApply: (filter: Condition[]) => void
}

/** A draft of the filter; nothing is asked for until it is applied. */
export default function FilterPanel({ fields, filter, onApply, ...props }: Props) {
  const [draft, setDraft] = useState<GroupCondition>(() => toGroup(filter))
  const [isChecked, setChecked] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const apply = () => {
    const applied = fromGroup(draft)
    if (faultsOf(applied, fields).size === 0) return onApply(applied)
    setChecked(true)
    // The faults are drawn first.
    requestAnimationFrame(() => focusValue(form.current?.querySelector('[data-condition="wrong"]')))
  }
  // Before the control that has the focus; the list of fields takes what is pasted there.
  const paste = (event: ClipboardEvent) => {
    if ((event.target as Element).closest('[data-field-chooser]')) return
    const pasted = soundConditions(event.clipboardData.getData('text'), fields)
    if (!pasted) return
    event.preventDefault()
    event.stopPropagation()
    setDraft(({ operator, filters }) => ({ operator, filters: [...filters, ...pasted] }))
  }
  return (
    <form
      ref={form}
      className="grid w-[min(42rem,calc(100vw-3rem))] gap-3"
      onPasteCapture={paste}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        // A list takes what is typed into it first.
        requestAnimationFrame(() => form.current?.requestSubmit())
      }}
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
    >
      <GroupEditor
        fields={fields}
        group={draft}
        faults={props.faults ?? NO_FAULTS}
        isChecked={isChecked}
        focusAt={props.focusAt}
        onChange={setDraft}
      />
      <div className="flex flex-wrap items-end justify-between gap-2 border-t pt-3">
        <Hint />
        <div className="ml-auto flex gap-2">
          <Button size="sm" onClick={() => onApply([])}>
            Clear
          </Button>
          <Button size="sm" type="submit" variant="primary">
            Apply
          </Button>
        </div>
      </div>
    </form>
  )
}

const NO_FAULTS: Faults = new Map()

const Hint = () => (
  <p className="max-w-md text-xs text-muted-foreground">
    Conditions can be typed or pasted here and in the search box:{' '}
    <code className="rounded bg-muted px-1">field:operator:value</code>, several with commas.{' '}
    <Kbd>Ctrl</Kbd> <Kbd>↵</Kbd> applies.
  </p>
)

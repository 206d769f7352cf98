import { Popover as Base } from '@base-ui/react/popover'
import { type KeyboardEvent, useRef } from 'react'
import { fieldLabel } from '@/components/data-table/field-label'
import { Button } from '@/components/ui/button'
import { cn, popupClass } from '@/components/ui/cn'
import { FormField } from '@/components/ui/form-field'
import { Notice } from '@/components/ui/notice'
import { messageOf } from '@/lib/errors'
import { isJsonKind, isTextKind } from '@/lib/kinds/kind'
import { CellValue } from '../cell-value'
import { ChoiceControl, choicesOf } from '../choice-control'
import type { Draft } from '../draft'
import { FieldControl } from '../field-control'
import { titleOf } from '../record-title'
import { faultsOf } from '../refusal'
import type { ColumnDescription, EntityRecord } from '../types'
import { type Leave, leaveBy } from './next-cell'
import type { CellChange } from './save-cell'
import { type Attempt, useCellInput } from './use-cell-input'

type Props = {
  td: HTMLElement
  entity: string
  columns: readonly ColumnDescription[]
  column: ColumnDescription
  row: EntityRecord
  attempt: Attempt | null
  /** `change`: to be saved; null when nothing was changed. */
  onLeave: (leave: Leave, change: CellChange | null, texts: Draft) => void
}

/** The field's own control, over its cell. Enter and pressing elsewhere save, Escape cancels, Tab saves and goes on. */
export function CellPopup({ td, entity, columns, column, row, attempt, onLeave }: Props) {
  const popup = useRef<HTMLDivElement>(null)
  const hasLeft = useRef(false)
  const input = useCellInput({ entity, columns, column, row, attempt })
  const leave = (how: Leave, change: CellChange | null, texts: Draft = {}) => {
    if (hasLeft.current) return
    hasLeft.current = true
    onLeave(how, change, texts)
  }
  const save = (how: Leave, last?: Draft) => {
    const values = input.read(last)
    if (values === null) return
    const { seen, current } = input
    const change = { entity, seen: { ...row, ...seen }, values, current }
    leave(how, Object.keys(values).length > 0 ? change : null, { ...input.texts, ...last })
  }
  const isLarge = !isOneLine(column)
  const onKeyDown = (event: KeyboardEvent) => {
    if (!popup.current?.contains(event.target as Node)) return
    const how = leaveBy(event, isLarge)
    if (!how) return
    event.preventDefault()
    save(how)
  }
  const isRefused = attempt && !input.conflict && input.texts === attempt.texts
  const refusal = isRefused ? reasonOf(attempt.error, column) : undefined
  return (
    <Base.Root
      open
      onOpenChange={(open, { reason }) =>
        !open && (reason === 'escape-key' ? leave('stay', null) : save('away'))
      }
    >
      {/* In the page's landmark: it is no landmark of its own. */}
      <Base.Portal container={document.getElementById('content')}>
        <Base.Positioner
          anchor={td}
          align="start"
          sideOffset={({ anchor }) => -anchor.height}
          className="z-30"
        >
          <Base.Popup
            ref={popup}
            initialFocus={() => popup.current?.querySelector<HTMLElement>(CONTROL) ?? true}
            finalFocus={false}
            onKeyDown={onKeyDown}
            className={cn(
              popupClass,
              'grid max-h-(--available-height) max-w-[calc(100vw-1rem)] min-w-(--anchor-width) gap-2 overflow-y-auto p-2.5',
              isLarge ? 'w-104' : 'w-64',
            )}
          >
            <Base.Title className="sr-only">
              Edit {fieldLabel(column)} of {titleOf(row, columns)}
            </Base.Title>
            <CellControl
              {...{ column, input }}
              error={input.error ?? refusal}
              onChosen={(value) => save('stay', { [column.name]: value })}
            />
            {input.conflict && (
              <CellConflictNotice
                column={column}
                record={input.conflict.record}
                onTake={() => leave('stay', null)}
                onOverwrite={() => save('stay')}
              />
            )}
            <footer className="flex items-center gap-2">
              <Base.Description className="mr-auto text-xs text-muted-foreground">
                {isLarge ? 'Ctrl Enter saves' : 'Enter saves'}, Esc cancels
              </Base.Description>
              {isLarge && (
                <Button size="sm" variant="primary" onClick={() => save('stay')}>
                  Save
                </Button>
              )}
            </footer>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

const reasonOf = (error: Error, { name }: ColumnDescription) =>
  faultsOf(error)[name] ?? messageOf(error)

const CONTROL = 'input:not([type="hidden"]), textarea, [role="combobox"], button'

/** Its control is a single one, which needs neither Tab nor Enter itself. */
const isOneLine = ({ kind, type, rules }: ColumnDescription) =>
  Boolean(rules.enum) || (!isJsonKind(kind) && !(isTextKind(kind) && /text/.test(type)))

type CellConflictNoticeProps = {
  column: ColumnDescription
  /** The record as it is now. */
  record: EntityRecord
  onTake: () => void
  onOverwrite: () => void
}

/** The field was changed by another user meanwhile: which of the values is to stay? */
const CellConflictNotice = ({ column, record, onTake, onOverwrite }: CellConflictNoticeProps) => (
  <Notice tone="warning" role="alert" title="Changed by another user meanwhile">
    <p className="break-words">
      Now: <CellValue value={record[column.name]} column={column} record={record} />
    </p>
    <div className="mt-2 flex flex-wrap gap-2">
      <Button size="sm" onClick={onTake}>
        Keep that value
      </Button>
      <Button size="sm" variant="primary" onClick={onOverwrite}>
        Overwrite it
      </Button>
    </div>
  </Notice>
)

type CellControlProps = {
  column: ColumnDescription
  input: ReturnType<typeof useCellInput>
  error: string | undefined
  onChosen: (value: string) => void
}

/** One of few values is saved as soon as it is chosen. */
function CellControl({ column, input, error, onChosen }: CellControlProps) {
  const choices = choicesOf(column)
  if (!choices) {
    return (
      <FieldControl
        {...{ column, error }}
        value={input.text}
        onChange={(text) => input.change({ [column.name]: text })}
        texts={input.all}
        onOthers={input.change}
      />
    )
  }
  return (
    <FormField label={fieldLabel(column)} error={error}>
      <ChoiceControl startsOpen {...{ column, choices }} value={input.text} onChange={onChosen} />
    </FormField>
  )
}

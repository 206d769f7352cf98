import { PlusIcon, Trash2Icon } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { Button, IconButton } from '@/components/ui/button'
import { Select } from '@/components/ui/select'
import { AddCondition } from './add-condition'
import {
  type Condition,
  type FieldCondition,
  type GroupCondition,
  isGroup,
  isWords,
} from './condition'
import type { Faults } from './condition-faults'
import { ConditionRow } from './condition-row'
import type { FilterField } from './field'
import { findField } from './find-field'
import { toFilters, toGroup } from './group'
import { testedName } from './relation'
import { useKnownFields } from './use-known-fields'
import { WordsRow } from './words-row'

type Props = {
  fields: readonly FilterField[]
  group: GroupCondition
  /** Known before anything was typed. */
  faults: Faults
  isChecked: boolean
  /** The condition whose value takes the focus. */
  focusAt?: number
  /** Whether an empty one asks for a field at once, which takes the focus. */
  startsOpen?: boolean
  onChange: (group: GroupCondition) => void
  onRemove?: () => void
  depth?: number
}

/** As deep as the search object goes. */
const MAX_DEPTH = 8

const WAYS = [
  { value: 'and', label: 'All of these' },
  { value: 'or', label: 'Any of these' },
  { value: 'not', label: 'Not all of these' },
] as const

/** Conditions joined by and, or, not; groups nest. */
export function GroupEditor({
  group,
  onChange,
  onRemove,
  focusAt,
  startsOpen = true,
  depth = 1,
  ...shared
}: Props) {
  const { operator, filters } = group
  const box = useRef<HTMLDivElement>(null)
  const toFocus = useRef(focusAt)
  useLayoutEffect(() => {
    if (toFocus.current === undefined) return
    const place = box.current?.querySelector(`:scope > [data-place="${toFocus.current}"]`)
    focusValue(place?.querySelector('[data-condition]'))
    toFocus.current = undefined
  })
  const setAt = (index: number, next: Condition | null) =>
    onChange({
      operator,
      filters: filters.flatMap((each, i) => (i === index ? (next ?? []) : each)),
    })
  const add = (...conditions: Condition[]) => {
    toFocus.current = filters.length + conditions.length - 1
    onChange({ operator, filters: [...filters, ...conditions] })
  }
  return (
    <div
      ref={box}
      className={depth > 1 ? 'grid gap-2 rounded-lg border bg-muted/40 p-2' : 'grid gap-2'}
    >
      {(onRemove || filters.length > 1 || operator !== 'and') && (
        <div className="flex items-center gap-1.5">
          <Select
            size="sm"
            className="w-40"
            aria-label="How the conditions are joined"
            value={operator}
            onValueChange={(next) => onChange({ operator: next, filters })}
            options={onRemove ? WAYS : WAYS.slice(0, 2)}
          />
          {onRemove && <IconButton icon={Trash2Icon} label="Remove the group" onClick={onRemove} />}
        </div>
      )}
      {filters.map((condition, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: conditions are distinguished by their position alone
        <div key={index} data-place={index}>
          {isGroup(condition) ? (
            <GroupEditor
              {...shared}
              group={condition}
              depth={depth + 1}
              onChange={(next) => setAt(index, next)}
              onRemove={() => setAt(index, null)}
            />
          ) : isWords(condition) ? (
            <WordsRow
              condition={condition}
              onChange={(next) => setAt(index, next)}
              onRemove={() => setAt(index, null)}
            />
          ) : (
            <ConditionRow
              fields={shared.fields}
              condition={condition}
              fault={shared.faults.get(condition)}
              isChecked={shared.isChecked}
              onChange={(next) => setAt(index, next)}
              onRemove={() => setAt(index, null)}
            >
              <RelatedConditions
                {...shared}
                condition={condition}
                depth={depth + 1}
                onChange={(next) => setAt(index, next)}
              />
            </ConditionRow>
          )}
        </div>
      ))}
      <div className="flex flex-wrap gap-1.5">
        <AddCondition
          key={filters.length === 0 ? 'empty' : 'more'}
          fields={shared.fields}
          startsOpen={startsOpen && filters.length === 0}
          onAdd={(conditions) => add(...conditions)}
        />
        {depth < MAX_DEPTH && (
          <Button size="sm" variant="ghost" onClick={() => add({ operator: 'or', filters: [] })}>
            <PlusIcon aria-hidden /> Group
          </Button>
        )}
      </div>
    </div>
  )
}

type RelatedProps = Pick<Props, 'fields' | 'faults' | 'isChecked' | 'depth'> & {
  condition: FieldCondition
  onChange: (condition: FieldCondition) => void
}

/** What records that refer to one must meet. */
function RelatedConditions({ condition, fields, onChange, ...shared }: RelatedProps) {
  const known = useKnownFields(fields, [condition])
  const related = findField(known, testedName(condition))?.field.related
  if (!related?.fields) return null
  return (
    <GroupEditor
      {...shared}
      fields={related.fields}
      group={toGroup(condition.filters ?? [])}
      startsOpen={false}
      onChange={(group) => onChange({ ...condition, filters: toFilters(group) })}
    />
  )
}

/** Focuses the value of a condition in the builder; where it takes none, its operator. */
export function focusValue(row: Element | null | undefined): void {
  const control =
    row?.querySelector<HTMLElement>('[data-value] :is(input, button):not([tabindex="-1"])') ??
    row?.querySelector<HTMLElement>('[aria-label="Operator"]')
  control?.focus()
  if (control instanceof HTMLInputElement && control.type === 'text') control.select()
}

import { Autocomplete } from '@base-ui/react/autocomplete'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import type { Condition } from '@/components/data-table/filter/condition'
import { cn, controlClass, itemClass, popupClass } from '@/components/ui/cn'
import type { FieldReference } from '@/lib/definitions/definition'
import { isNumberKind, isTextKind } from '@/lib/kinds/kind'
import { useSearch } from '@/lib/query/search'
import type { Search } from '@/lib/query/search-key'
import { plainText } from '@/lib/values/exact-json'
import { columnsOptions } from './entity-queries'
import { searchedFields } from './entity-search'
import { nameOf, titleFields } from './record-title'
import { useReferenceTitle } from './reference-titles'
import type { ColumnDescription, EntityRecord } from './types'

type Texts = Readonly<Record<string, string>>

type Props = {
  reference: FieldReference
  value: string
  onChange: (value: string) => void
  /** Gets the value of a record that was chosen, or typed and ended with Enter or by leaving; the text is then the caller's. */
  onChosen?: (value: string) => void
  /** Of the further fields of the reference, by their own names. */
  texts?: Texts
  /** Gets their texts with a record that was chosen. */
  onFurther?: (texts: Texts) => void
  /** Needed outside a `FormField`. */
  'aria-label'?: string
}

/** The value of another entity's field: typed, or found by searching its records. Says which record it is. */
export function ReferenceInput({ reference, value, onChange, onChosen, ...props }: Props) {
  const { texts, onFurther, 'aria-label': label } = props
  const { entity, field } = reference
  const others = othersOf(reference, texts)
  const columns = useQuery(columnsOptions(entity)).data?.data ?? []
  const term = value.trim()
  const searched = useDeferredValue(term)
  const search = suggestionSearch(columns, reference, searched)
  const found = useSearch<EntityRecord>(entity, search ?? {}, { enabled: search !== null })
  const isBehind = search !== null && (searched !== term || found.isPlaceholderData)
  const last = search === null ? [] : (found.data?.data ?? [])
  const records = isBehind ? stillMatching(last, reference, { columns, term }) : last
  const title = useChosenTitle(reference, { value, others }, (chosen) => {
    const wanted = Object.entries({ ...others, [field]: chosen })
    const matches = records.filter((record) =>
      wanted.every(([name, text]) => plainText(record[name]) === text),
    )
    return matches.length === 1 && matches[0] ? nameOf(matches[0], columns) : null
  })
  return (
    <Autocomplete.Root
      items={records}
      filter={null}
      value={value}
      onValueChange={(next, { reason }) =>
        onChosen && reason === 'item-press' ? onChosen(next) : onChange(next)
      }
      itemToStringValue={(record: EntityRecord) => plainText(record[field])}
      openOnInputClick
    >
      <div className="relative min-w-0">
        <Autocomplete.Input
          aria-label={label}
          className={cn(controlClass, 'h-8', title !== null && 'pr-[55%]')}
          placeholder={`Find in ${entity}`}
          autoComplete="off"
          // A press on a suggestion leaves the focus here.
          onBlur={() => value !== '' && onChosen?.(value)}
          onKeyDown={(event) => {
            if (!onChosen || event.key !== 'Enter' || event.defaultPrevented) return
            // A highlighted suggestion is chosen by the list itself; otherwise Enter would send the form.
            if (event.currentTarget.getAttribute('aria-activedescendant')) return
            event.preventDefault()
            onChosen(value)
          }}
        />
        {title !== null && (
          <span className="pointer-events-none absolute inset-y-0 right-2.5 flex max-w-[50%] items-center">
            <span className="truncate text-[13px] text-muted-foreground">{title}</span>
          </span>
        )}
      </div>
      <Autocomplete.Portal>
        <Autocomplete.Positioner sideOffset={4} className="z-50">
          <Autocomplete.Popup className={cn(popupClass, 'w-(--anchor-width)')}>
            <Autocomplete.Empty className="px-2 py-1.5 text-[13px] text-muted-foreground empty:hidden">
              {found.isFetching || isBehind ? 'Searching' : `Nothing in ${entity} matches`}
            </Autocomplete.Empty>
            <Autocomplete.List className="max-h-72 overflow-y-auto">
              {(record: EntityRecord) => (
                <Autocomplete.Item
                  key={record.persistenceId}
                  value={record}
                  className={itemClass}
                  onClick={() => onFurther?.(furtherOf(reference, record))}
                >
                  <span className="font-mono text-xs">{idText(record, reference)}</span>
                  <span className="ml-auto truncate text-muted-foreground">
                    {nameOf(record, columns)}
                  </span>
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  )
}

/** The title of the value that was there first, or of one that was found. */
function useChosenTitle(
  { entity, field }: FieldReference,
  now: { value: string; others: Texts | null },
  titleOfFound: (value: string) => string | null,
): string | null {
  const { value, others } = now
  const [first] = useState(now)
  const isWhole = first.others !== null && first.value !== ''
  const known = useReferenceTitle(
    isWhole ? { entity, values: { [field]: first.value, ...first.others } } : null,
  )
  if (value === '') return null
  const isFirst = JSON.stringify(now) === JSON.stringify(first)
  return (isFirst ? known : null) ?? (others && titleOfFound(value))
}

/** What identifies the record besides, by the names of its entity; null while not all of it is known. */
function othersOf({ with: further = {} }: FieldReference, texts: Texts = {}): Texts | null {
  const others = Object.entries(further).map(([own, target]) => [target, texts[own] ?? ''])
  return others.some(([, text]) => text === '') ? null : Object.fromEntries(others)
}

/** The further fields that refer to a record, with its values. */
const furtherOf = ({ with: further = {} }: FieldReference, record: EntityRecord): Texts =>
  Object.fromEntries(
    Object.entries(further).map(([own, target]) => [own, plainText(record[target])]),
  )

/** All values that identify the record, that of the reference's own field first. */
const idText = (record: EntityRecord, { field, with: further = {} }: FieldReference) =>
  [field, ...Object.values(further)].map((name) => plainText(record[name])).join(', ')

const SUGGESTIONS = 20

/** Records that `term` may mean, by the id, the names and the searched fields. Null while nothing can be searched. */
export function suggestionSearch(
  columns: readonly ColumnDescription[],
  { field, with: further = {} }: FieldReference,
  term: string,
): Search | null {
  if (columns.length === 0) return null
  const conditions = [...new Set([field, ...titleFields(columns), ...searchedFields(columns)])]
    .map((name) => conditionOn(columns, name, term))
    .filter((condition) => condition !== null)
  if (term !== '' && conditions.length === 0) return null
  return {
    fields: [
      ...new Set(['persistenceId', field, ...Object.values(further), ...titleFields(columns)]),
    ],
    query: term === '' ? [] : [{ operator: 'or', filters: conditions }],
    pagination: { page: 0, size: SUGGESTIONS },
    count: 'none',
  }
}

/** Of records found for an earlier text, those that a longer one still finds: what is no match must not be chosen. */
export function stillMatching(
  records: readonly EntityRecord[],
  { field, with: further = {} }: FieldReference,
  { columns, term }: { columns: readonly ColumnDescription[]; term: string },
): EntityRecord[] {
  const names = [field, ...Object.values(further), ...titleFields(columns)]
  const wanted = term.toLowerCase()
  return records.filter((record) =>
    names.some((name) =>
      plainText(record[name] ?? '')
        .toLowerCase()
        .includes(wanted),
    ),
  )
}

function conditionOn(
  columns: readonly ColumnDescription[],
  name: string,
  term: string,
): Condition | null {
  const kind = columns.find((column) => column.name === name)?.kind
  if (kind === undefined) return null
  if (isTextKind(kind)) return { field: name, operator: 'icontains', value: term }
  const isNumber = isNumberKind(kind) && !Number.isNaN(Number(term))
  return isNumber ? { field: name, operator: 'eq', value: term } : null
}

import { Autocomplete } from '@base-ui/react/autocomplete'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useId, useState } from 'react'
import { cn, controlClass, itemClass, popupClass } from '@/components/ui/cn'
import type { FieldReference } from '@/lib/definitions/definition'
import { getQueryClient } from '@/lib/query/client'
import { useSearch } from '@/lib/query/search'
import { plainText } from '@/lib/values/exact-json'
import { columnsOptions } from './entity-queries'
import { nameOf } from './record-title'
import { titleOptions, titlesByKey, useReferenceTitle } from './reference-titles'
import { idText, stillMatching, suggestionSearch } from './suggestion-search'
import type { ColumnDescription, EntityRecord } from './types'
import { referredName, useTypedReference } from './use-typed-reference'

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

/** The record that a field refers to, by its name, with the value of the field behind it: found by either. */
export function ReferenceInput({ reference, value, onChange, onChosen, ...props }: Props) {
  const { texts, onFurther, 'aria-label': label } = props
  const [isOpen, setOpen] = useState(false)
  const questionId = useId()
  const choose = (record: EntityRecord, isOnly: boolean) => {
    const text = plainText(record[reference.field])
    if (isOnly) {
      rememberTitle(reference, record, found.columns)
      onFurther?.(furtherOf(reference, record))
    }
    if (onChosen) onChosen(text)
    else onChange(text)
  }
  const typed = useTypedReference({
    reference,
    value,
    onChoose: choose,
    onAsk: () => setOpen(true),
    isListed: onChosen !== undefined,
  })
  const found = useSuggestions(reference, typed.isSettled ? '' : value.trim())
  const title = useTitle(reference, value, { texts, isSettled: typed.isSettled, ...found })
  const { name, behind } = typed.isSettled
    ? { name: title ?? value, behind: title === null ? null : value }
    : { name: value, behind: title }
  return (
    <Autocomplete.Root
      items={found.records}
      filter={null}
      open={isOpen}
      onOpenChange={setOpen}
      value={name}
      onValueChange={(next, { reason }) => reason !== 'item-press' && onChange(next)}
      itemToStringValue={(record: EntityRecord) => plainText(record[reference.field])}
      openOnInputClick
    >
      <div className="relative min-w-0">
        <Autocomplete.Input
          dir="auto"
          ref={typed.input}
          aria-label={label}
          aria-describedby={typed.question === null ? undefined : questionId}
          className={cn(controlClass, 'h-8')}
          style={behind === null ? undefined : { paddingRight: `min(45%, ${behind.length + 3}ch)` }}
          placeholder={`Find in ${referredName(reference.entity)}`}
          autoComplete="off"
          onFocus={({ currentTarget }) => currentTarget.select()}
          // A press on a suggestion leaves the focus here.
          onBlur={typed.onBlur}
          onKeyDown={typed.onKeyDown}
        />
        {behind !== null && (
          <span className="pointer-events-none absolute inset-y-0 right-2.5 flex max-w-[40%] items-center">
            <span className="truncate text-xs text-muted-foreground">{behind}</span>
          </span>
        )}
      </div>
      {typed.question !== null && !(isOpen && found.records.length > 0) && (
        <p id={questionId} role="alert" className="mt-1 text-xs text-destructive">
          {typed.question}
        </p>
      )}
      <Suggestions
        {...found}
        {...{ reference, questionId }}
        question={typed.question}
        onChoose={typed.choose}
      />
    </Autocomplete.Root>
  )
}

/** Shown at once, without being asked for. */
function rememberTitle(
  { entity, field, with: further = {} }: FieldReference,
  record: EntityRecord,
  columns: readonly ColumnDescription[],
): void {
  const names = [field, ...Object.values(further)]
  if (columns.length === 0 || !names.every((name) => name in record)) return
  const values = Object.fromEntries(names.map((name) => [name, plainText(record[name])]))
  const [title = null] = titlesByKey([record], columns, names).values()
  getQueryClient().setQueryData(titleOptions({ entity, values }).queryKey, title)
}

/** Records that what is typed may mean. */
function useSuggestions(reference: FieldReference, term: string) {
  const columns = useQuery(columnsOptions(reference.entity)).data?.data ?? []
  const searched = useDeferredValue(term)
  const search = suggestionSearch(columns, reference, searched)
  const found = useSearch<EntityRecord>(reference.entity, search ?? {}, {
    enabled: search !== null,
  })
  const isBehind = search !== null && (searched !== term || found.isPlaceholderData)
  const last = search === null ? [] : (found.data?.data ?? [])
  const records = isBehind ? stillMatching(last, reference, { columns, term }) : last
  return { columns, records, isSearching: found.isFetching || isBehind }
}

type Suggested = ReturnType<typeof useSuggestions>

/** What the record of the value is called; of what is being typed, as far as it is among those found. */
function useTitle(
  reference: FieldReference,
  value: string,
  { texts, isSettled, columns, records }: Suggested & { texts?: Texts; isSettled: boolean },
): string | null {
  const { entity, field } = reference
  const others = othersOf(reference, texts)
  const isWhole = isSettled && others !== null && value !== ''
  const known = useReferenceTitle(
    isWhole ? { entity, values: { [field]: value, ...others } } : null,
  )
  if (value === '' || !others) return null
  if (isSettled) return known
  const wanted = Object.entries({ ...others, [field]: value })
  const matches = records.filter((record) =>
    wanted.every(([name, text]) => plainText(record[name]) === text),
  )
  return matches.length === 1 && matches[0] ? nameOf(matches[0], columns) : null
}

type SuggestionsProps = Suggested & {
  /** Why one is to be chosen. */
  question: string | null
  questionId: string
  reference: FieldReference
  onChoose: (record: EntityRecord) => void
}

const Suggestions = ({ reference, columns, records, ...props }: SuggestionsProps) => (
  <Autocomplete.Portal>
    <Autocomplete.Positioner sideOffset={4} className="z-50">
      <Autocomplete.Popup className={cn(popupClass, 'w-(--anchor-width)')}>
        <Autocomplete.Empty className="px-2 py-1.5 text-[13px] text-muted-foreground empty:hidden">
          {props.isSearching ? 'Searching' : `Nothing in ${referredName(reference.entity)} matches`}
        </Autocomplete.Empty>
        {props.question !== null && records.length > 0 && (
          <p id={props.questionId} role="alert" className="px-2 py-1.5 text-xs text-destructive">
            {props.question}
          </p>
        )}
        <Autocomplete.List className="max-h-72 overflow-y-auto">
          {(record: EntityRecord) => {
            const id = idText(record, reference)
            const name = nameOf(record, columns)
            const isPart = name === null || id.split(', ').includes(name)
            return (
              <Autocomplete.Item
                key={record.persistenceId}
                value={record}
                className={itemClass}
                onClick={() => props.onChoose(record)}
              >
                <span className="truncate">{isPart ? id : name}</span>
                {!isPart && (
                  <span className="ml-auto shrink-0 text-xs text-muted-foreground">{id}</span>
                )}
              </Autocomplete.Item>
            )
          }}
        </Autocomplete.List>
      </Autocomplete.Popup>
    </Autocomplete.Positioner>
  </Autocomplete.Portal>
)

/** What identifies the record besides, by the names of its entity; null while not all of it is known. */
function othersOf({ with: further = {} }: FieldReference, texts: Texts = {}): Texts | null {
  const others = Object.entries(further).map(([own, target]) => [target, texts[own] ?? ''])
  return others.some(([, text]) => text === '') ? null : Object.fromEntries(others)
}

/** The further fields that refer to a record, with its values. */
const furtherOf = ({ with: further = {} }: FieldReference, record: EntityRecord): Texts =>
  Object.fromEntries(
    Object.entries(further)
      .filter(([, target]) => target in record)
      .map(([own, target]) => [own, plainText(record[target])]),
  )

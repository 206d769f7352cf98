'use client'
import { Autocomplete } from '@base-ui/react/autocomplete'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { cn } from '@/components/ui/cn'
import { controlClass } from '@/components/ui/control'
import { itemClass, popupClass } from '@/components/ui/popup'
import { useSearch } from '@/lib/query/search'
import { columnsOptions } from './entity-queries'
import { searchedFields } from './entity-search'
import { titleOf } from './record-title'
import type { EntityRecord } from './types'

type Props = {
  reference: { entity: string; field: string }
  value: string
  onChange: (value: string) => void
}

const SUGGESTIONS = 20

/** The value of another entity's field: typed, or found by searching its records. */
export function ReferenceInput({ reference, value, onChange }: Props) {
  const { entity, field } = reference
  const columns = useQuery(columnsOptions(entity)).data?.data ?? []
  const term = useDeferredValue(value.trim())
  const searched = [...new Set([field, ...searchedFields(columns)])]
  const found = useSearch<EntityRecord>(
    entity,
    {
      query: term
        ? [
            {
              operator: 'or',
              filters: searched
                .filter((name) => isText(columns, name))
                .map((name) => ({ field: name, operator: 'icontains', value: term })),
            },
          ]
        : [],
      pagination: { page: 0, size: SUGGESTIONS },
      count: 'none',
    },
    {
      enabled:
        columns.length > 0 && (term === '' || searched.some((name) => isText(columns, name))),
    },
  )
  const records = found.data?.data ?? []
  return (
    <Autocomplete.Root
      items={records}
      filter={null}
      value={value}
      onValueChange={onChange}
      itemToStringValue={(record: EntityRecord) => String(record[field])}
      openOnInputClick
    >
      <Autocomplete.Input
        className={cn(controlClass, 'h-8')}
        placeholder={`Find in ${entity}`}
        autoComplete="off"
      />
      <Autocomplete.Portal>
        <Autocomplete.Positioner sideOffset={4} className="z-50">
          <Autocomplete.Popup className={cn(popupClass, 'w-(--anchor-width)')}>
            <Autocomplete.Empty className="px-2 py-1.5 text-[13px] text-muted-foreground empty:hidden">
              {found.isFetching ? 'Searching' : `Nothing in ${entity} matches`}
            </Autocomplete.Empty>
            <Autocomplete.List className="max-h-72 overflow-y-auto">
              {(record: EntityRecord) => (
                <Autocomplete.Item key={record.persistenceId} value={record} className={itemClass}>
                  <span className="font-mono text-xs">{String(record[field])}</span>
                  <span className="ml-auto truncate text-muted-foreground">
                    {titleOf(record, columns)}
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

const isText = (columns: readonly { name: string; kind: string }[], name: string) =>
  columns.find((column) => column.name === name)?.kind === 'text'

import { useQuery } from '@tanstack/react-query'
import { PlusIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { entitiesOptions } from '@/components/entities/entity-queries'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { countOf } from '@/components/ui/number'
import { draftsOf, emptyField, type FieldDraft } from './field-draft'
import { placed } from './field-list'
import { FieldRows } from './field-rows'
import type { Target } from './reference-fields'

const FieldDialog = dynamic(() => import('./field-dialog').then((module) => module.FieldDialog))

type Props = {
  fields: readonly FieldDraft[]
  /** The entity itself, to which fields may refer as well. */
  self: Target
  description?: string
  onChange: (fields: readonly FieldDraft[]) => void
}

/** The fields of an entity, to be added, changed and removed. */
export function FieldCard({ fields, self, description, onChange }: Props) {
  const [editing, setEditing] = useState<number | null>(null)
  const entities = useQuery(entitiesOptions).data?.data ?? []
  const targets = entities
    .filter(({ name }) => name !== self.name)
    .map(({ name, keys }) => ({ name, keys: keys.map(({ key }) => key) }))
  const replace = (at: number, field: FieldDraft | null) =>
    onChange(fields.flatMap((one, index) => (index === at ? (field ?? []) : one)))
  const remove = (at: number) => {
    const field = fields[at]
    if (field) replace(at, field.before && { ...field, isRemoved: true })
  }
  const restore = (at: number) => {
    const before = fields[at]?.before
    const [former] = before ? draftsOf({ properties: [before] }) : []
    if (former) replace(at, former)
  }
  const edited = editing === null ? undefined : (fields[editing] ?? emptyField())
  const names = fields.map(({ name }) => name)
  return (
    <>
      <Card
        flush
        title={countOf(fields.length, 'field')}
        description={description}
        actions={
          <Button size="sm" onClick={() => setEditing(fields.length)}>
            <PlusIcon aria-hidden /> Add field
          </Button>
        }
      >
        <FieldRows
          {...{ fields, keys: self.keys }}
          onEdit={setEditing}
          onRemove={remove}
          onReset={restore}
        />
      </Card>
      {edited && editing !== null && (
        <FieldDialog
          draft={edited}
          others={names.filter((_, at) => at !== editing)}
          after={names[editing - 1] ?? null}
          entities={self.name === '' ? targets : [self, ...targets]}
          onClose={() => setEditing(null)}
          onDone={(field, after) => {
            const next = [...fields.slice(0, editing), field, ...fields.slice(editing + 1)]
            onChange(placed(next, editing, after))
            setEditing(null)
          }}
        />
      )}
    </>
  )
}

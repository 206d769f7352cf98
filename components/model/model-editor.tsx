'use client'

import { useQuery } from '@tanstack/react-query'
import { PlusIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useMemo, useState } from 'react'
import { DraftNotice } from '@/components/drafts/draft-notice'
import { useDraft } from '@/components/drafts/use-draft'
import { entitiesOptions } from '@/components/entities/entity-queries'
import { Page } from '@/components/shell/page'
import { Button, buttonClass } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Link } from '@/components/ui/link'
import { Notice } from '@/components/ui/notice'
import { countOf } from '@/components/ui/number'
import { useNavigate } from '@/components/ui/pending-page'
import { ErrorState, Skeleton } from '@/components/ui/state'
import { toast } from '@/components/ui/toast'
import {
  draftsOf,
  editedSchema,
  editsOf,
  emptyField,
  type FieldDraft,
  isChanged,
  rebased,
  type WrittenSchema,
} from './field-draft'
import { FieldRows } from './field-rows'
import { ModelPlan } from './model-plan'
import { definitionOptions } from './model-queries'

const FieldDialog = dynamic(() => import('./field-dialog').then((module) => module.FieldDialog))

/** The fields of an entity, to be added, changed and removed; each edit shows what it would do. */
export function ModelEditor({ name }: { name: string }) {
  const definition = useQuery(definitionOptions(name))
  const { schema, schemaPlugin, entity, lastHistoryId } = definition.data ?? {}
  const href = `/entities/${encodeURIComponent(name)}/definition`
  return (
    <Page
      title={`Fields of ${name}`}
      description="Nothing changes until you apply it. Every version can be rolled back."
      actions={
        <Link href={href} className={buttonClass()}>
          Definition
        </Link>
      }
    >
      {definition.isPending && <Skeleton className="h-60" />}
      <ErrorState of={definition} />
      {definition.data && (!schema || !schemaPlugin) && (
        <Notice title="These fields can’t be edited here">
          {schema
            ? 'Their schema belongs to no plugin: install one that defines it.'
            : 'The entity has no schema: its records may have any fields.'}
        </Notice>
      )}
      {schema && schemaPlugin && (
        <Fields
          key={`${schemaPlugin} ${lastHistoryId}`}
          entity={name}
          plugin={schemaPlugin}
          lastHistoryId={lastHistoryId ?? undefined}
          schema={schema as unknown as WrittenSchema}
          keys={((entity?.pks ?? []) as { key: string }[]).map(({ key }) => key)}
        />
      )}
    </Page>
  )
}

type Props = {
  entity: string
  plugin: string
  /** The install after which the definitions were read. */
  lastHistoryId: number | undefined
  schema: WrittenSchema
  keys: readonly string[]
}

function Fields({ entity, plugin, lastHistoryId, schema, keys }: Props) {
  const [fields, setFields] = useState<readonly FieldDraft[]>(() => draftsOf(schema))
  const [editing, setEditing] = useState<number | null>(null)
  const entities = useQuery(entitiesOptions)
  const navigate = useNavigate()
  const isDirty = fields.some(isChanged)
  const reset = () => setFields(draftsOf(schema))
  const draft = useDraft<readonly FieldDraft[]>({
    form: `fields ${entity}`,
    what: `The fields of ${entity} are not applied yet.`,
    values: isDirty ? fields : null,
    version: JSON.stringify(schema),
    restore: (values) => setFields(rebased(values, schema)),
    reset,
  })
  const replace = (at: number, field: FieldDraft | null) =>
    setFields((before) => before.flatMap((one, index) => (index === at ? (field ?? []) : one)))
  const remove = (at: number) => {
    const field = fields[at]
    if (field) replace(at, field.before && { ...field, isRemoved: true })
  }
  const restore = (at: number) => {
    const before = fields[at]?.before
    const [former] = before ? draftsOf({ ...schema, properties: [before] }) : []
    if (former) replace(at, former)
  }
  const change = useMemo(
    () => ({ plugin, lastHistoryId, schemas: [editedSchema(schema, fields)] }),
    [plugin, lastHistoryId, schema, fields],
  )
  const onApplied = (history: number) => {
    draft.settle()
    toast.success(`The fields of ${entity} were changed`, {
      action: { label: 'Show', onClick: () => navigate(`/plugins/history/${history}`) },
    })
  }
  const edited = editing === null ? undefined : (fields[editing] ?? emptyField())
  return (
    <>
      <DraftNotice restored={draft.restored} />
      <Card
        flush
        title={countOf(fields.length, 'field')}
        description={`Of the plugin ${plugin}`}
        actions={
          <Button size="sm" onClick={() => setEditing(fields.length)}>
            <PlusIcon aria-hidden /> Add field
          </Button>
        }
      >
        <FieldRows {...{ fields, keys }} onEdit={setEditing} onRemove={remove} onReset={restore} />
      </Card>
      {isDirty && (
        <ModelPlan
          change={change}
          edits={editsOf(fields)}
          onDiscard={() => {
            draft.settle()
            reset()
          }}
          onApplied={onApplied}
        />
      )}
      {edited && editing !== null && (
        <FieldDialog
          draft={edited}
          taken={fields.filter((_, at) => at !== editing).map((one) => one.name)}
          entities={entities.data?.data.map((one) => one.name) ?? []}
          onClose={() => setEditing(null)}
          onDone={(field) => {
            if (editing < fields.length) replace(editing, field)
            else setFields((before) => [...before, field])
            setEditing(null)
          }}
        />
      )}
    </>
  )
}

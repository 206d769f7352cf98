import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Condition, GroupCondition } from '@/components/data-table/filter/condition'
import { faultsOf } from '@/components/data-table/filter/condition-faults'
import { fromGroup, toGroup } from '@/components/data-table/filter/group'
import { GroupEditor } from '@/components/data-table/filter/group-editor'
import { columnsOptions, entitiesOptions } from '@/components/entities/entity-queries'
import type { ColumnDescription } from '@/components/entities/types'
import { useFilterFields } from '@/components/entities/use-filter-fields'
import { FormDialog } from '@/components/ui/form-dialog'
import { FormField } from '@/components/ui/form-field'
import { Input, NameInput } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { TagInput } from '@/components/ui/tag-input'
import type { CreateWebhook, NewWebhook, Webhook } from '@/lib/webhooks/contract'
import { changeWebhook, createWebhook, useWebhookMutation } from './webhook-queries'

const FORMATS = [
  { value: 'engine', label: 'Engine' },
  { value: 'cloudevents', label: 'CloudEvents 1.0' },
] as const

type Props = {
  /** Null: a new one. */
  webhook: Webhook | null
  onClose: () => void
  onCreated?: (webhook: NewWebhook) => void
}

/** Where changes are sent, and which. */
export function WebhookDialog({ webhook, onClose, onCreated }: Props) {
  const [values, setValues] = useState(() => valuesOf(webhook))
  const set = (part: Partial<Values>) => setValues((before) => ({ ...before, ...part }))
  const entities = useQuery(entitiesOptions)
  const saving = useWebhookMutation(async (body: CreateWebhook) => {
    if (webhook) await changeWebhook({ id: webhook.id, ...body })
    else onCreated?.(await createWebhook(body))
  })
  const [entity, ...others] = values.entities
  return (
    <FormDialog
      onClose={onClose}
      size="lg"
      title={webhook ? `Edit “${webhook.name}”` : 'New webhook'}
      description="Changes of records are sent to an address, as you may see them."
      submitLabel={webhook ? 'Save' : 'Create webhook'}
      attempt={saving}
      fields={['name', 'url', 'entities', 'where', 'fields']}
      onSubmit={() => saving.mutate(bodyOf(values, webhook), { onSuccess: () => onClose() })}
      className="gap-5"
    >
      <div className="grid gap-4 sm:grid-cols-[1fr_10rem]">
        <FormField name="name" label="Name" required>
          <NameInput
            value={values.name}
            onValueChange={(name) => set({ name })}
            autoComplete="off"
          />
        </FormField>
        <FormField name="format" label="Format">
          <Select
            options={FORMATS}
            value={values.format}
            onValueChange={(format) => set({ format })}
          />
        </FormField>
      </div>
      <FormField name="url" label="Address" required hint="https, on the public internet">
        <Input
          type="url"
          value={values.url}
          placeholder="https://example.com/hook"
          onChange={({ target }) => set({ url: target.value })}
        />
      </FormField>
      <FormField name="entities" label="Entities" required hint="Whose changes are kept">
        <TagInput
          value={values.entities}
          onValueChange={(next) => set({ entities: next })}
          suggestions={entities.data?.data.map(({ name }) => name)}
        />
      </FormField>
      <FormField name="fields" label="Fields" hint="All, if there are none here">
        <TagInput value={values.fields} onValueChange={(fields) => set({ fields })} />
      </FormField>
      {entity !== undefined && others.length === 0 && (
        <Conditions
          key={entity}
          entity={entity}
          where={values.where}
          onChange={(where) => set({ where })}
        />
      )}
    </FormDialog>
  )
}

type Values = Required<Pick<Webhook, 'name' | 'entities' | 'format'>> & {
  url: string
  fields: string[]
  where: GroupCondition
}

const valuesOf = (webhook: Webhook | null): Values => ({
  name: webhook?.name ?? '',
  url: webhook?.url ?? '',
  entities: webhook?.entities ?? [],
  format: webhook?.format ?? 'engine',
  fields: webhook?.fields ?? [],
  where: toGroup((webhook?.where ?? []) as Condition[]),
})

/** Which actions are sent follows from the conditions, where they come or go. */
function bodyOf({ where, fields, ...values }: Values, webhook: Webhook | null): CreateWebhook {
  const conditions = fromGroup(where)
  const has = conditions.length > 0
  const isSame = webhook !== null && (webhook.where !== null) === has
  const actions = has
    ? (['created', 'entered'] as const)
    : (['created', 'updated', 'deleted', 'entered', 'left', 'many'] as const)
  return {
    ...values,
    fields: fields.length > 0 ? fields : null,
    where: has ? (conditions as CreateWebhook['where']) : null,
    ...(isSame ? {} : { actions: [...actions], many: has ? 'records' : 'count' }),
  }
}

type ConditionsProps = {
  entity: string
  where: GroupCondition
  onChange: (where: GroupCondition) => void
}

function Conditions({ entity, ...rest }: ConditionsProps) {
  const columns = useQuery(columnsOptions(entity))
  const found = columns.data?.data
  return found ? <ConditionsOf columns={found} {...rest} /> : null
}

function ConditionsOf({
  columns,
  where,
  onChange,
}: Omit<ConditionsProps, 'entity'> & { columns: ColumnDescription[] }) {
  const fields = useFilterFields(columns)
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-[13px] font-medium">Only records that come to meet</legend>
      <div className="rounded-lg border p-3">
        <GroupEditor
          fields={fields}
          group={where}
          faults={faultsOf(where.filters, fields)}
          isChecked={false}
          startsOpen={false}
          onChange={onChange}
        />
      </div>
    </fieldset>
  )
}

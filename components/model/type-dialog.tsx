import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog } from '@/components/ui/form-dialog'
import { FormField } from '@/components/ui/form-field'
import { Input, NameInput } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { TagInput } from '@/components/ui/tag-input'
import { LOCAL_MODEL } from '@/lib/lifecycle/model-contract'
import { getQueryClient } from '@/lib/query/client'
import { ChoiceFields } from './choice-fields'
import { draftOf, type FieldDraft } from './field-draft'
import { TYPES } from './field-types'
import { LimitFields } from './limit-fields'
import { type ModelChange, planOptions } from './model-queries'
import PlannedEdit from './planned-edit'
import type { WrittenType } from './type-queries'
import type { WrittenField } from './written'
import { editedFields } from './written-field'

type Props = { type: WrittenType | null; onClose: () => void }

/** A type of fields, new or to be changed: its base, choices and limits; the plan of its plugin’s next version comes first. */
export default function TypeDialog({ type, onClose }: Props) {
  const [field, setField] = useState(() => fieldOf(type))
  const [plugin, setPlugin] = useState(type?.plugin ?? LOCAL_MODEL)
  const change = (part: Partial<FieldDraft>) => setField((before) => ({ ...before, ...part }))
  const planning = useMutation({ mutationFn: planType })
  const name = field.name.trim()
  if (planning.data)
    return (
      <PlannedEdit
        title={type ? `Type ${name}` : 'New type'}
        change={planning.data}
        words={type ? `Change the type ${name}` : `New type ${name}`}
        done={type ? `The type ${name} was changed` : `The type ${name} was created`}
        discardLabel="Back"
        onDiscard={() => planning.reset()}
        onClose={onClose}
      />
    )
  return (
    <FormDialog
      onClose={onClose}
      size="lg"
      title={type ? `Type ${type.name}` : 'New type'}
      description={
        type
          ? 'The fields of its plugin that have it change with it, as the plan says.'
          : 'Fields can have it as soon as it is applied.'
      }
      submitLabel="Show the plan"
      attempt={planning}
      fields={['types.0.name', 'plugin']}
      onSubmit={() => planning.mutate({ plugin: plugin.trim(), field, type })}
    >
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {!type && (
          <>
            <FormField name="types.0.name" label="Name" required hint="Such as Colour">
              <NameInput value={field.name} onValueChange={(text) => change({ name: text })} />
            </FormField>
            <FormField
              name="plugin"
              label="Plugin"
              required
              hint="That gets it; of a new one the id begins with local."
            >
              <Input
                value={plugin}
                autoComplete="off"
                onChange={({ target }) => setPlugin(target.value)}
              />
            </FormField>
          </>
        )}
        <FormField label="Based on">
          <Select
            value={field.type}
            onValueChange={(base) => change({ type: base })}
            options={typesWith(field.type).map((value) => ({ value, label: value }))}
          />
        </FormField>
        <FormField label="Choices" className="sm:col-span-2" hint="Other values are refused">
          <TagInput value={field.choices} onValueChange={(choices) => change({ choices })} />
        </FormField>
        <ChoiceFields field={field} onChange={change} />
        <LimitFields field={field} onChange={change} />
      </div>
    </FormDialog>
  )
}

const typesWith = (base: string) => (TYPES.includes(base) ? TYPES : [base, ...TYPES])

/** A type is edited as a field with its rules. */
function fieldOf(type: WrittenType | null): FieldDraft {
  const { name = '', baseType = 'string', meta } = type?.definition ?? {}
  const written = { name, type: baseType, ...(meta ? { meta } : {}) } as WrittenField
  return draftOf(written, type ? written : null)
}

type Edited = { plugin: string; field: FieldDraft; type: WrittenType | null }

async function planType({ plugin, field, type }: Edited): Promise<ModelChange> {
  const [written] = editedFields([field])
  const { name, type: baseType, meta = {} } = written as WrittenField
  const change: ModelChange = {
    plugin,
    ...(type ? { lastHistoryId: type.lastHistoryId ?? undefined } : {}),
    types: [{ ...type?.definition, name, baseType, meta }],
  }
  await getQueryClient().fetchQuery(planOptions(change))
  return change
}

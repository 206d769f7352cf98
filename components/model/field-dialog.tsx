import { useState } from 'react'
import { FormDialog } from '@/components/ui/form-dialog'
import { FormField } from '@/components/ui/form-field'
import { NameInput } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { TagInput } from '@/components/ui/tag-input'
import { propertyNameFault } from '@/lib/definitions/names'
import type { FieldDraft } from './field-draft'
import { Flags, type PartProps, Text } from './field-inputs'
import { MoreOfField } from './more-of-field'
import { ReferenceFields, type Target } from './reference-fields'
import { useTypeOptions } from './use-type-options'

type Props = {
  draft: FieldDraft
  /** Names of the other fields, in their order. */
  others: readonly string[]
  /** Behind which of them it is; null: it is the first. */
  after: string | null
  entities: readonly Target[]
  onDone: (draft: FieldDraft, after: string | null) => void
  onClose: () => void
}

const IDLE = { isPending: false, error: null }

/** One field of an entity, new or to be changed; nothing is stored by it. */
export function FieldDialog({ draft, others, entities, onDone, onClose, ...props }: Props) {
  const [field, setField] = useState(draft)
  const [after, setAfter] = useState(props.after)
  const [isSent, setIsSent] = useState(false)
  const change = (part: Partial<FieldDraft>) => setField((before) => ({ ...before, ...part }))
  const isNew = draft.before === null
  const isAdded = isNew && draft.name === ''
  const isComputed = field.texts.computed.trim() !== ''
  const fault = isNew ? nameFault(field.name.trim(), others) : null
  const done = () => {
    setIsSent(true)
    if (fault === null) onDone({ ...field, name: field.name.trim() }, after)
  }
  return (
    <FormDialog
      onClose={onClose}
      size="lg"
      title={isAdded ? 'New field' : `Field ${draft.name}`}
      description={
        isNew ? undefined : 'Its name is changed by “Rename” on the page of the definition.'
      }
      submitLabel={isAdded ? 'Add field' : 'Done'}
      attempt={IDLE}
      fields={[]}
      onSubmit={done}
    >
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {isNew && (
          <FormField
            label="Name"
            required
            error={isSent ? fault : null}
            hint="As API clients use it"
          >
            <NameInput value={field.name} onValueChange={(name) => change({ name })} />
          </FormField>
        )}
        <FormField label="Label" hint="As people see it" className={isNew ? '' : 'sm:col-span-2'}>
          <Text value={field.label} onChange={(label) => change({ label })} />
        </FormField>
        <FormField label="Type">
          <Select
            value={field.type}
            onValueChange={(type) => change({ type })}
            options={useTypeOptions(field.type)}
          />
        </FormField>
        {!isComputed && <ValueFields field={field} onChange={change} />}
        <Flags
          legend="Rules"
          flags={isComputed ? ['unique'] : ['required', 'unique']}
          field={field}
          onChange={change}
        />
        {!isComputed && (
          <ReferenceFields field={field} onChange={change} {...{ others, entities }} />
        )}
        <MoreOfField field={field} onChange={change} {...{ others, after }} onPlace={setAfter} />
      </div>
    </FormDialog>
  )
}

function nameFault(name: string, taken: readonly string[]): string | null {
  if (name === '') return 'Enter a name'
  if (taken.some((other) => other.toLowerCase() === name.toLowerCase()))
    return 'Another field has this name'
  const fault = propertyNameFault(name)
  return fault === null ? null : `This name can’t be used: ${fault}`
}

const ValueFields = ({ field, onChange }: PartProps) => (
  <>
    <FormField
      label="Default"
      hint="Of records that are stored without a value; now and uuid are made for each"
    >
      <Text value={field.default} onChange={(text) => onChange({ default: text })} />
    </FormField>
    <FormField label="Choices" className="sm:col-span-2" hint="Other values are refused">
      <TagInput value={field.choices} onValueChange={(choices) => onChange({ choices })} />
    </FormField>
  </>
)

import { useState } from 'react'
import { CONSOLE_KINDS } from '@/components/kinds/kinds'
import { Checkbox } from '@/components/ui/checkbox'
import { FormDialog } from '@/components/ui/form-dialog'
import { FormField } from '@/components/ui/form-field'
import { Input, NameInput } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { TagInput } from '@/components/ui/tag-input'
import { propertyNameFault } from '@/lib/definitions/names'
import { type FieldDraft, FLAGS, type Flag, type Limit } from './field-draft'

type Props = {
  draft: FieldDraft
  /** Names of the other fields. */
  taken: readonly string[]
  entities: readonly string[]
  onDone: (draft: FieldDraft) => void
  onClose: () => void
}

const IDLE = { isPending: false, error: null }

/** One field of an entity, new or to be changed; nothing is stored by it. */
export function FieldDialog({ draft, taken, entities, onDone, onClose }: Props) {
  const [field, setField] = useState(draft)
  const [isSent, setIsSent] = useState(false)
  const change = (part: Partial<FieldDraft>) => setField((before) => ({ ...before, ...part }))
  const isNew = draft.before === null
  const fault = isNew ? nameFault(field.name.trim(), taken) : null
  const done = () => {
    setIsSent(true)
    if (fault === null) onDone({ ...field, name: field.name.trim() })
  }
  return (
    <FormDialog
      onClose={onClose}
      size="lg"
      title={isNew && draft.name === '' ? 'New field' : `Field ${draft.name}`}
      description={
        isNew ? undefined : 'Its name is changed by “Rename” on the page of the definition.'
      }
      submitLabel={isNew && draft.name === '' ? 'Add field' : 'Done'}
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
            options={typesWith(field.type).map((value) => ({ value, label: value }))}
          />
        </FormField>
        <FormField label="Default" hint="Of records that are stored without a value">
          <Text value={field.default} onChange={(text) => change({ default: text })} />
        </FormField>
        <FormField label="Description" className="sm:col-span-2">
          <Text value={field.description} onChange={(description) => change({ description })} />
        </FormField>
        <Flags field={field} onChange={change} />
        <Limits field={field} onChange={change} />
        <FormField label="Choices" className="sm:col-span-2" hint="Other values are refused">
          <TagInput value={field.choices} onValueChange={(choices) => change({ choices })} />
        </FormField>
        <ReferenceFields field={field} entities={entities} onChange={change} />
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

const TYPES = Object.values(CONSOLE_KINDS).flatMap(({ types }) => types)
const typesWith = (type: string) => (TYPES.includes(type) ? TYPES : [type, ...TYPES])

type PartProps = { field: FieldDraft; onChange: (part: Partial<FieldDraft>) => void }

const Text = ({ value, onChange }: { value: string; onChange: (text: string) => void }) => (
  <Input value={value} autoComplete="off" onChange={({ target }) => onChange(target.value)} />
)

const FLAG_WORDS: Record<Flag, { label: string; hint: string }> = {
  required: { label: 'Required', hint: 'Every record has a value' },
  unique: { label: 'Unique', hint: 'No two records have the same' },
  indexed: { label: 'Indexed', hint: 'Fast to filter and sort by' },
  searchable: { label: 'Searchable', hint: 'Parts of it are found fast' },
}

const Flags = ({ field, onChange }: PartProps) => (
  <fieldset className="grid gap-2 sm:col-span-2 sm:grid-cols-2">
    <legend className="sr-only">Rules</legend>
    {FLAGS.map((flag) => (
      // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is inside
      <label key={flag} className="flex items-start gap-2 text-[13px]">
        <Checkbox
          className="mt-0.5"
          checked={field.flags[flag]}
          onCheckedChange={(checked) => onChange({ flags: { ...field.flags, [flag]: checked } })}
        />
        <span>
          <span className="font-medium">{FLAG_WORDS[flag].label}</span>
          <span className="block text-xs text-muted-foreground">{FLAG_WORDS[flag].hint}</span>
        </span>
      </label>
    ))}
  </fieldset>
)

const TEXT_LIMITS = { minLength: 'Least characters', maxLength: 'Most characters' } as const
const VALUE_LIMITS = { min: 'Least value', max: 'Greatest value' } as const

/** Of texts their length, of all others the value. */
function Limits({ field, onChange }: PartProps) {
  const isText = CONSOLE_KINDS.text.types.includes(field.type)
  return Object.entries(isText ? TEXT_LIMITS : VALUE_LIMITS).map(([limit, label]) => (
    <FormField key={limit} label={label}>
      <Text
        value={field.limits[limit as Limit]}
        onChange={(text) => onChange({ limits: { ...field.limits, [limit]: text } })}
      />
    </FormField>
  ))
}

const NONE = ''
const ON_DELETE = [
  { value: NONE, label: 'Prevents it' },
  { value: 'setNull', label: 'Clears this field' },
  { value: 'cascade', label: 'Deletes the records, too' },
]

function ReferenceFields({ field, entities, onChange }: PartProps & Pick<Props, 'entities'>) {
  const options = [NONE, ...entities].map((value) => ({ value, label: value || 'Nothing' }))
  return (
    <>
      <FormField label="Refers to">
        <Select
          placeholder="Nothing"
          value={field.entity}
          onValueChange={(entity) => onChange({ entity, field: NONE })}
          options={options}
        />
      </FormField>
      {field.entity !== NONE && (
        <FormField label="When that record is deleted">
          <Select
            placeholder="Prevents it"
            value={field.onDelete}
            onValueChange={(onDelete) => onChange({ onDelete })}
            options={ON_DELETE}
          />
        </FormField>
      )}
    </>
  )
}

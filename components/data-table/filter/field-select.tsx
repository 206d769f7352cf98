import { useQuery } from '@tanstack/react-query'
import { Select } from '@/components/ui/select'
import { type Beyond, MAX_FOLLOWED } from './beyond'
import type { FilterField } from './field'

type Props = {
  fields: readonly FilterField[]
  /** With dots where it goes on in another entity. */
  name: string
  /** Gets the chosen field by its full name. */
  onChange: (field: FilterField) => void
}

/** The field of a condition: one of the entity's own, or one of the entity that it refers to. */
export function FieldSelect({ fields, name, onChange }: Props) {
  const own = fields.filter(({ isBeyond }) => !isBeyond)
  return (
    <div className="grid content-start gap-1.5">
      <Step label="Field" fields={own} name={name} followed={0} onChange={onChange} />
    </div>
  )
}

type StepProps = Props & { label: string; followed: number; itself?: FilterField }

/** Stands for the referenced record itself; no field is called so. */
const ITSELF = '\u0000'

function Step({ label, fields, name, followed, itself, onChange }: StepProps) {
  const chosen = fieldAt(fields, name)
  const beyond = followed < MAX_FOLLOWED ? chosen?.beyond : undefined
  const choose = (next: string) => {
    const field = next === ITSELF ? itself : fields.find((each) => each.name === next)
    if (field) onChange(field)
  }
  return (
    <>
      <Select
        aria-label={label}
        value={itself && name === '' ? ITSELF : (chosen?.name ?? (name || null))}
        onValueChange={choose}
        options={[
          ...(itself ? [{ value: ITSELF, label: `${itself.beyond?.entity} itself` }] : []),
          ...fields.map((field) => ({ value: field.name, label: field.label ?? field.name })),
          ...(chosen || name === '' ? [] : [{ value: name, label: name }]),
        ]}
      />
      {chosen && beyond && (
        <Further
          beyond={beyond}
          reference={chosen}
          name={name.slice(chosen.name.length + 1)}
          followed={followed + 1}
          onChange={onChange}
        />
      )}
    </>
  )
}

type FurtherProps = Omit<StepProps, 'fields' | 'label'> & {
  beyond: Beyond
  reference: FilterField
}

/** Goes on in the other entity, once its fields are there. */
function Further({ beyond, reference, onChange, ...props }: FurtherProps) {
  const fields = useQuery(beyond.fields).data
  if (!fields) return null
  return (
    <Step
      {...props}
      label={`Field of ${beyond.entity}`}
      fields={fields}
      itself={reference}
      onChange={(field) =>
        onChange(
          field === reference ? field : { ...field, name: `${reference.name}.${field.name}` },
        )
      }
    />
  )
}

/** The field of that name, else the reference that the name begins with. */
const fieldAt = (fields: readonly FilterField[], name: string): FilterField | undefined =>
  fields.find((field) => field.name === name) ??
  fields.find((field) => field.beyond && name.startsWith(`${field.name}.`))

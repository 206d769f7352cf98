import { useQuery } from '@tanstack/react-query'
import { CornerDownRightIcon, XIcon } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '@/components/ui/button'
import { Select } from '@/components/ui/select'
import { type Beyond, MAX_FOLLOWED } from './beyond'
import type { FilterField } from './field'
import { asksOf } from './relation'

type Props = {
  fields: readonly FilterField[]
  /** With dots where it goes on in another entity. */
  name: string
  /** Gets the chosen field by its full name. */
  onChange: (field: FilterField) => void
}

/** The field of a condition: one of the entity's own, of the entity that it refers to, or of those that refer to it. */
export function FieldSelect({ fields, name, onChange }: Props) {
  const own = fields.filter(({ isBeyond }) => !isBeyond)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-1.5">
      <Step label="Field" fields={own} name={name} followed={0} onChange={onChange} />
    </div>
  )
}

type StepProps = Props & { label: string; followed: number }

function Step({ label, fields, name, followed, onChange }: StepProps) {
  const chosen = fieldAt(fields, name)
  const rest = name.slice((chosen?.name.length ?? 0) + 1)
  // Records that refer to one have conditions of their own, unless the name goes on.
  const goesOn = rest !== '' || !chosen?.related || chosen.suits !== undefined
  const beyond = goesOn && followed < MAX_FOLLOWED ? chosen?.beyond : undefined
  const choose = (next: string) => {
    const field = fields.find((each) => each.name === next)
    if (field) onChange(field)
  }
  return (
    <>
      <Select
        aria-label={label}
        value={chosen?.name ?? (name || null)}
        onValueChange={choose}
        options={[
          ...fields.map((field) => ({ value: field.name, label: field.label ?? field.name })),
          ...(chosen || name === '' ? [] : [{ value: name, label: name }]),
        ]}
      />
      {chosen?.relation && (
        <Step
          label={`Which of ${chosen.label ?? chosen.name}`}
          fields={asksOf(chosen.relation)}
          name={rest}
          followed={followed}
          onChange={(field) => onChange({ ...field, name: `${chosen.name}.${field.name}` })}
        />
      )}
      {chosen && beyond && (
        <Further
          key={chosen.name}
          beyond={beyond}
          reference={chosen}
          name={rest}
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

/** Goes on in the other entity where that is asked for; else the record itself is meant. */
function Further({ beyond, reference, onChange, ...props }: FurtherProps) {
  // A sum is of a field.
  const [isAsked, setAsked] = useState(reference.suits !== undefined)
  const { data } = useQuery(beyond.fields)
  if (!data) return null
  const fields = data.filter(reference.suits ?? (() => true))
  const { entity } = beyond
  if (props.name === '' && !isAsked) {
    return (
      <Button
        size="sm"
        variant="ghost"
        className="min-w-0 justify-start"
        onClick={() => setAsked(true)}
      >
        <CornerDownRightIcon aria-hidden />
        <span className="truncate">By a field of {entity}</span>
      </Button>
    )
  }
  return (
    <>
      <Step
        {...props}
        label={`Field of ${entity}`}
        fields={fields}
        onChange={(field) => onChange({ ...field, name: `${reference.name}.${field.name}` })}
      />
      <IconButton
        icon={XIcon}
        label={`Not by a field of ${entity}`}
        className="justify-self-start"
        onClick={() => {
          setAsked(false)
          if (props.name !== '') onChange(reference)
        }}
      />
    </>
  )
}

/** The field of that name, else the reference that the name begins with. */
const fieldAt = (fields: readonly FilterField[], name: string): FilterField | undefined =>
  fields.find((field) => field.name === name) ??
  fields.find((field) => (field.beyond || field.relation) && name.startsWith(`${field.name}.`))

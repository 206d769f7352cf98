import { UserIcon } from 'lucide-react'
import { type ComponentProps, useId, useState } from 'react'
import { formOf } from '@/components/kinds/value-forms'
import { useViewer } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { faultProps, type InputProps, meantValue, textOf } from './value-text'

/** A text, or a number, which stays text until the server reads it. */
export function TextInput(props: InputProps) {
  if (props.field.user) return <UserInput {...props} />
  const { inputMode, placeholder } = formOf(props.field.kind).input
  return <WordedInput {...props} {...{ inputMode, placeholder }} />
}

const SUGGESTIONS = ['me']

/** A user, by id or email address; the one who asks by a press. */
function UserInput(props: InputProps) {
  const { field, value, onChange } = props
  const { email } = useViewer()
  const me = meantValue('me', field, email)
  return (
    <div className="flex gap-1.5">
      <WordedInput {...props} suggestions={SUGGESTIONS} />
      <Button
        className="px-2"
        aria-pressed={value === me}
        title={field.user === 'id' ? 'Whoever looks at the list' : email}
        onClick={() => onChange(value === me ? '' : me)}
      >
        <UserIcon aria-hidden /> Me
      </Button>
    </div>
  )
}

type Props = InputProps & {
  placeholder?: string
  suggestions?: readonly string[]
  inputMode?: ComponentProps<'input'>['inputMode']
}

/** A text control whose text stands for a value: what is typed stays as it was typed. */
export function WordedInput({ field, label, value, onChange, faultId, ...props }: Props) {
  const { email } = useViewer()
  const [typed, setTyped] = useState({ text: '', value: undefined as unknown })
  const listId = useId()
  const { suggestions, placeholder = label, inputMode } = props
  return (
    <>
      <Input
        aria-label={label}
        placeholder={placeholder}
        inputMode={inputMode}
        autoComplete="off"
        list={suggestions && listId}
        value={typed.value === value ? typed.text || textOf(value, field) : textOf(value, field)}
        onChange={({ target }) => {
          const next = meantValue(target.value, field, email)
          setTyped({ text: target.value, value: next })
          onChange(next)
        }}
        {...faultProps(faultId)}
      />
      {suggestions && (
        <datalist id={listId}>
          {suggestions.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </>
  )
}

'use client'
import { UserIcon } from 'lucide-react'
import { useViewer } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import type { InputProps } from './input-props'
import { meantValue } from './value-text'
import { WordedInput } from './worded-input'

const SUGGESTIONS = ['me']

/** A user, by id or e-mail address; the one who asks by a press. */
export function UserInput(props: InputProps) {
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

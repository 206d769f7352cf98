import { type ReactNode, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Form, type FormError } from '@/components/ui/form'
import { FormField } from '@/components/ui/form-field'
import { Input } from '@/components/ui/input'
import { PasswordInput } from './password-input'

export type Field = {
  name: string
  label: string
  type: 'email' | 'password' | 'text'
  inputMode?: 'numeric'
  autoComplete: string
  defaultValue?: string
  hint?: string
}
type Props = {
  fields: readonly Field[]
  button: string
  /** Sends the values, by name; resolves with the reason when they were refused. */
  submit: (values: Record<string, string>) => Promise<FormError | null>
  /** Why the user is back at this form. */
  refused?: FormError | null
  /** What helps after a refusal that belongs to none of the fields. */
  remedy?: ReactNode
}

export const EMAIL: Field = {
  name: 'email',
  label: 'Email',
  type: 'email',
  autoComplete: 'username',
}
export const PASSWORD: Field = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autoComplete: 'current-password',
}
export const NEW_PASSWORD: Field = {
  name: 'password',
  label: 'New password',
  type: 'password',
  autoComplete: 'new-password',
  hint: 'At least 8 characters. A few words in a row are easy to remember and hard to guess.',
}

/** A short form of text fields. Uncontrolled: what a browser fills in before the script has loaded counts. */
export function AuthForm({ fields, button, submit, refused = null, remedy }: Props) {
  const [error, setError] = useState<FormError | null>(refused)
  const [busy, setBusy] = useState(false)

  async function send(form: HTMLFormElement) {
    setBusy(true)
    setError(await submit(Object.fromEntries(new FormData(form)) as Record<string, string>))
    setBusy(false)
  }

  return (
    <Form
      error={error}
      fields={fields.map(({ name }) => name)}
      onSubmit={(form) => void send(form)}
      remedy={remedy}
    >
      {fields.map(({ name, label, hint, type, autoComplete, ...rest }) => (
        <FormField key={name} name={name} label={label} hint={hint}>
          {type === 'password' ? (
            <PasswordInput
              required
              autoComplete={autoComplete}
              measured={autoComplete === 'new-password'}
            />
          ) : (
            <Input required type={type} autoComplete={autoComplete} {...rest} />
          )}
        </FormField>
      ))}
      <Button type="submit" variant="primary" busy={busy}>
        {button}
      </Button>
    </Form>
  )
}

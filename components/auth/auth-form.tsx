'use client'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { FormField } from '@/components/ui/form-field'
import { Input } from '@/components/ui/input'
import { Notice } from '@/components/ui/notice'
import type { Refusal } from './auth-api'

type Field = {
  name: string
  label: string
  type: 'email' | 'password'
  autoComplete: string
  hint?: string
}
type Props = {
  fields: readonly Field[]
  button: string
  /** What is done with the values, by name; answers why it was refused. */
  submit: (values: Record<string, string>) => Promise<Refusal | null>
  /** What helps after a refusal that belongs to none of the fields. */
  remedy?: ReactNode
}

export const EMAIL: Field = {
  name: 'email',
  label: 'E-mail',
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

/** A short form whose faults stand beside the fields they belong to. */
export function AuthForm({ fields, button, submit, remedy }: Props) {
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const values = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>
    setBusy(true)
    const refused = await submit(values)
    setRefusal(refused)
    setBusy(false)
    const wrong = fields.find(({ name }) => refused?.fields[name])
    if (wrong) form.current?.querySelector<HTMLInputElement>(`[name=${wrong.name}]`)?.focus()
  }

  const isUnplaced = refusal && !fields.some(({ name }) => refusal.fields[name])
  return (
    // By POST: without its script the form must not put passwords into the address.
    <form ref={form} method="post" onSubmit={onSubmit} className="grid gap-4" noValidate>
      {isUnplaced && (
        <Notice tone="destructive" role="alert" actions={remedy}>
          {refusal.error}
        </Notice>
      )}
      {fields.map(({ name, label, hint, ...input }) => (
        <FormField key={name} label={label} hint={hint} error={refusal?.fields[name]}>
          <Input name={name} required {...input} />
        </FormField>
      ))}
      <Button type="submit" variant="primary" busy={busy}>
        {button}
      </Button>
    </form>
  )
}

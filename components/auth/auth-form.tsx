'use client'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { Refusal } from './auth-api'

type Field = { name: string; label: string; type: 'email' | 'password'; autoComplete: string }
type Props = {
  fields: readonly Field[]
  button: string
  /** What is done with the values, by name; answers why it was refused. */
  submit: (values: Record<string, string>) => Promise<Refusal | null>
  children?: ReactNode
}

/** A short form whose faults stand beside the fields they belong to. */
export function AuthForm({ fields, button, submit, children }: Props) {
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [pending, setPending] = useState(false)

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const values = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>
    setPending(true)
    setRefusal(await submit(values))
    setPending(false)
  }

  const unplaced = refusal && !fields.some(({ name }) => refusal.fields[name])
  return (
    <form method="post" onSubmit={onSubmit} className="grid gap-4" noValidate>
      {unplaced && <p role="alert">{refusal.error}</p>}
      {fields.map((field) => (
        <AuthField key={field.name} {...field} error={refusal?.fields[field.name]} />
      ))}
      {children}
      <button type="submit" disabled={pending} className="rounded border px-3 py-2">
        {button}
      </button>
    </form>
  )
}

function AuthField({ name, label, type, autoComplete, error }: Field & { error?: string }) {
  const errorId = `${name}-error`
  return (
    <label className="grid gap-1">
      {label}
      <input
        name={name}
        type={type}
        autoComplete={autoComplete}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? errorId : undefined}
        className="rounded border px-3 py-2"
      />
      {error && <span id={errorId}>{error}</span>}
    </label>
  )
}

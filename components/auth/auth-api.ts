'use client'

import type { FormError } from '@/components/ui/form'

/** Sends JSON to one of our routes. Resolves with the reason of a refusal, or null. */
export async function send(method: string, path: string, body: unknown): Promise<FormError | null> {
  const response = await fetch(path, {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => null)
  return refusalOf(response)
}

/** Signs in through next-auth. Resolves with the reason of a refusal, or null. */
export async function signIn(email: string, password: string): Promise<FormError | null> {
  const csrf = await fetch('/api/auth/csrf').catch(() => null)
  if (!csrf?.ok) return refusalOf(csrf)
  const { csrfToken } = (await csrf.json()) as { csrfToken: string }
  const body = new URLSearchParams({ csrfToken, email, password, json: 'true' })
  const path = '/api/auth/callback/credentials'
  return refusalOf(await fetch(path, { method: 'POST', body }).catch(() => null))
}

async function refusalOf(response: Response | null): Promise<FormError | null> {
  if (!response) return { message: 'The server can’t be reached. Try again.' }
  if (response.ok) return null
  const { error, validations = [] } = (await response.json().catch(() => ({}))) as {
    error?: string
    validations?: { field: string; error: string }[]
  }
  return {
    message: error ?? `The server returned ${response.status}`,
    errorOf: (name) => validations.find(({ field }) => field === name)?.error,
  }
}

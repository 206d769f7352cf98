'use client'

export type Refusal = { error: string; fields: Record<string, string> }

/** Sends JSON to one of our routes; answers what was refused, or null when all went well. */
export async function send(method: string, path: string, body: unknown): Promise<Refusal | null> {
  const response = await fetch(path, {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => null)
  return refusalOf(response)
}

/** Signs in by next-auth; answers why not, or null. */
export async function signIn(email: string, password: string): Promise<Refusal | null> {
  const csrf = await fetch('/api/auth/csrf').catch(() => null)
  if (!csrf?.ok) return refusalOf(csrf)
  const { csrfToken } = (await csrf.json()) as { csrfToken: string }
  const body = new URLSearchParams({ csrfToken, email, password, json: 'true' })
  const path = '/api/auth/callback/credentials'
  return refusalOf(await fetch(path, { method: 'POST', body }).catch(() => null))
}

async function refusalOf(response: Response | null): Promise<Refusal | null> {
  if (!response) return { error: 'The server cannot be reached; try again', fields: {} }
  if (response.ok) return null
  const { error, validations = [] } = (await response.json().catch(() => ({}))) as {
    error?: string
    validations?: { field: string; error: string }[]
  }
  const fields = Object.fromEntries(validations.map(({ field, error }) => [field, error]))
  return { error: error ?? `The server answered ${response.status}`, fields }
}

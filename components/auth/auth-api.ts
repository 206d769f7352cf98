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

/** What a second step needs; without a ticket, the sign-in has to begin again. */
export type SecondStep = {
  ticket: string | null
  methods: string[]
  /** The provider by which the first step was made, and the account that it is linked with. */
  provider?: { label: string; email: string }
}

/** Why a step of a sign-in did not end in a session. */
export type SignInRefusal = FormError & { secondStep?: SecondStep }

/**
 * Sends a step of a sign-in through next-auth: email and password, a ticket and a code, or a
 * passkey. Resolves with the reason of a refusal, or null.
 */
export async function signIn(fields: Record<string, string>): Promise<SignInRefusal | null> {
  const csrf = await fetch('/api/auth/csrf').catch(() => null)
  if (!csrf?.ok) return refusalOf(csrf)
  const { csrfToken } = (await csrf.json()) as { csrfToken: string }
  const body = new URLSearchParams({ csrfToken, json: 'true', ...fields })
  const path = '/api/auth/callback/credentials'
  return refusalOf(await fetch(path, { method: 'POST', body }).catch(() => null))
}

async function refusalOf(response: Response | null): Promise<SignInRefusal | null> {
  if (!response) return { message: 'The server can’t be reached. Try again.' }
  if (response.ok) return null
  const {
    error,
    validations = [],
    meta,
  } = (await response.json().catch(() => ({}))) as {
    error?: string
    validations?: { field: string; error: string }[]
    meta?: { secondFactor?: SecondStep }
  }
  return {
    secondStep: meta?.secondFactor,
    message: error ?? `The server returned ${response.status}`,
    errorOf: (name) => validations.find(({ field }) => field === name)?.error,
  }
}

import dynamic from 'next/dynamic'
import { type ReactNode, useState } from 'react'
import { ApiError } from '@/lib/http/client'
import { readFactors } from './factor-queries'

const ConfirmIdentity = dynamic(() => import('./confirm-identity'), { ssr: false })

/** For another minute, which is enough for what follows. */
async function isConfirmed(): Promise<boolean> {
  const { confirmedUntil } = await readFactors()
  return confirmedUntil !== null && Date.parse(confirmedUntil) > Date.now() + 60_000
}

/**
 * Runs changes of second factors. Where the server asks for it, the user confirms first, then the
 * change runs again; one that the user does not confirm resolves with null. `then`: what the user can do when they have confirmed;
 * `byFactor`: a password is not enough for it.
 */
export function useConfirmation(
  then = 'change second factors',
  { byFactor = false } = {},
): {
  run: <T>(change: () => Promise<T>) => Promise<T | null>
  dialog: ReactNode
  /** Asks, unless the user has confirmed a moment ago; resolves with whether they have. */
  confirm: () => Promise<boolean>
  /** Asks in any case. */
  ask: () => Promise<boolean>
} {
  const [answer, setAnswer] = useState<((confirmed: boolean) => void) | null>(null)

  async function run<T>(change: () => Promise<T>): Promise<T | null> {
    try {
      return await change()
    } catch (error) {
      if (!(error instanceof ApiError) || error.meta.confirmation !== 'required') throw error
    }
    return (await ask()) ? change() : null
  }

  async function ask(): Promise<boolean> {
    const confirmed = await new Promise<boolean>((resolve) => setAnswer(() => resolve))
    setAnswer(null)
    return confirmed
  }

  const confirm = async () => (await isConfirmed()) || ask()
  const dialog = answer && <ConfirmIdentity onAnswer={answer} then={then} byFactor={byFactor} />
  return { run, confirm, ask, dialog }
}

import dynamic from 'next/dynamic'
import { type ReactNode, useState } from 'react'
import { ApiError } from '@/lib/http/client'

const ConfirmIdentity = dynamic(() => import('./confirm-identity'), { ssr: false })

/**
 * Runs changes of second factors. Where the server asks for it, the user confirms first, then the
 * change runs again; one that the user does not confirm resolves with null.
 */
export function useConfirmation(): {
  run: <T>(change: () => Promise<T>) => Promise<T | null>
  dialog: ReactNode
} {
  const [answer, setAnswer] = useState<((confirmed: boolean) => void) | null>(null)

  async function run<T>(change: () => Promise<T>): Promise<T | null> {
    try {
      return await change()
    } catch (error) {
      if (!(error instanceof ApiError) || error.meta.confirmation !== 'required') throw error
    }
    const confirmed = await new Promise<boolean>((resolve) => setAnswer(() => resolve))
    setAnswer(null)
    return confirmed ? change() : null
  }

  return { run, dialog: answer && <ConfirmIdentity onAnswer={answer} /> }
}

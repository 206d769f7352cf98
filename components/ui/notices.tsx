import dynamic from 'next/dynamic'
import { useEffect, useState } from 'react'
import { NOTICE } from './toast'

/** Without a connection it waits for one: the page goes on without notices. */
const load = (): Promise<typeof import('./toaster')> =>
  import('./toaster').catch(
    () =>
      new Promise((resolve) => {
        window.addEventListener('online', () => resolve(load()), { once: true })
      }),
  )

const Toaster = dynamic(load, { ssr: false })

/**
 * A notice answers what somebody does: from then on, screen readers know the place where it will appear. What comes
 * before the first press leaves time to fetch it.
 */
const BEGINNINGS = [NOTICE, 'pointermove', 'focusin', 'pointerdown', 'keydown']

/** Where notices are shown and announced: fetched when the page is first used. */
export function Notices() {
  const [isWanted, setWanted] = useState(false)
  useEffect(() => {
    const want = () => setWanted(true)
    for (const name of BEGINNINGS) window.addEventListener(name, want, { once: true })
    return () => {
      for (const name of BEGINNINGS) window.removeEventListener(name, want)
    }
  }, [])
  return isWanted && <Toaster />
}

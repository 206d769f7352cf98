import dynamic from 'next/dynamic'
import { useEffect, useState } from 'react'
import { NOTICE } from './toast'

const Toaster = dynamic(() => import('./toaster'), { ssr: false })

/** A notice answers what somebody does: from then on, screen readers know the place where it will appear. */
const BEGINNINGS = [NOTICE, 'pointerdown', 'keydown']

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

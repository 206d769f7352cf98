'use client'
import dynamic from 'next/dynamic'
import { useEffect } from 'react'
import { useNavigate } from '@/components/ui/pending-page'
import { followedLink } from './followed-link'
import { guardHistory } from './guard-history'
import { leave, losesOnPage, losesOnUnload, onUnsaved, useQuestion } from './unsaved'

const loadQuestion = () => import('./leave-question')
const LeaveQuestion = dynamic(loadQuestion, { ssr: false })

/** Asks before links, Back, Forward, reloading or closing the tab throw unsaved input away. */
export function LeaveGuard() {
  const asked = useQuestion((state) => state.asked)
  const navigate = useNavigate()
  useEffect(() => {
    guardHistory({ isBlocked: losesOnPage, onBlocked: leave })
    const onClick = (event: MouseEvent) => {
      const href = losesOnPage() ? followedLink(event) : null
      if (href === null) return
      event.preventDefault()
      event.stopImmediatePropagation()
      navigate(href)
    }
    document.addEventListener('click', onClick, true)
    return () => document.removeEventListener('click', onClick, true)
  }, [navigate])
  useEffect(guardUnload, [])
  return asked && <LeaveQuestion {...asked} />
}

/** Listens only while there is something to lose: pages that listen are not kept for Back. */
function guardUnload(): () => void {
  const refuse = (event: BeforeUnloadEvent) => {
    if (losesOnUnload()) event.preventDefault()
  }
  const update = () => {
    window.removeEventListener('beforeunload', refuse)
    if (!losesOnUnload()) return
    window.addEventListener('beforeunload', refuse)
    void loadQuestion() // it may be needed when the server can't be reached
  }
  update()
  const stop = onUnsaved(update)
  return () => {
    stop()
    window.removeEventListener('beforeunload', refuse)
  }
}

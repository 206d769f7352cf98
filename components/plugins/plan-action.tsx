'use client'
import { useEffect, useRef } from 'react'
import { Button } from '@/components/ui/button'
import { countOf } from '@/components/ui/number'
import { canInstall } from './can-install'
import { installQueue, isPlanning, isUnplanned, type QueueItem } from './install-queue'
import type { InstallPreview } from './types'

/** Installs what is planned, or plans it again where that is needed first. */
export function PlanAction({ item, preview }: { item: QueueItem; preview: InstallPreview }) {
  const { id, isStale } = item
  const busy = isPlanning(item)
  const button = useFocusAfter(busy)
  const needsPlan = isStale || isUnplanned(item)
  const isBlocked = !needsPlan && !canInstall(preview)
  return (
    <Button
      ref={button}
      size="sm"
      variant="primary"
      busy={busy}
      disabled={isBlocked}
      onClick={({ currentTarget }) => {
        if (needsPlan) return installQueue.planAgain(id)
        // The button goes with the plan; from its archive the keyboard comes to the result.
        currentTarget.closest('li')?.focus()
        installQueue.install(id)
      }}
    >
      {isStale ? 'Make a new plan' : needsPlan ? 'Update the plan' : installLabel(preview)}
    </Button>
  )
}

function installLabel(preview: InstallPreview): string {
  const { failedCount, successCount, totalFiles } = preview
  return failedCount > 0 && canInstall(preview)
    ? `Install ${successCount} of ${countOf(totalFiles, 'file')}`
    : 'Install'
}

/** A busy button loses the focus, which is returned to it unless it went elsewhere. */
function useFocusAfter(busy: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const wasPressed = useRef(false)
  useEffect(() => {
    const { activeElement } = document
    // A browser takes the focus from a disabled button only when it draws the page.
    if (busy)
      wasPressed.current = activeElement === document.body || activeElement === button.current
    else if (wasPressed.current && activeElement === document.body) button.current?.focus()
  }, [busy])
  return button
}

'use client'
import { CodeIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import type { View } from './view'

const ShareDialog = dynamic(() => import('./share-dialog'), { ssr: false })

/** The current view for other tools. */
export function ShareView(view: View) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <CodeIcon aria-hidden /> <span className="max-lg:sr-only">API</span>
      </Button>
      {open && <ShareDialog view={view} onClose={() => setOpen(false)} />}
    </>
  )
}

'use client'
import type { ReactNode } from 'react'
import { DropZone as Zone } from '@/components/ui/drop-zone'
import { installQueue } from './install-queue'

/** Accepts ZIP files dropped anywhere on the page. */
export const DropZone = ({ children }: { children: ReactNode }) => (
  <Zone label="Drop plugin archives to preview them" onFiles={installQueue.add}>
    {children}
  </Zone>
)

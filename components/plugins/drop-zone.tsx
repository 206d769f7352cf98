'use client'
import type { ReactNode } from 'react'
import { DropZone as Zone } from '@/components/ui/drop-zone'
import { installQueue } from './install-queue'

type Props = { maxBytes: number; children: ReactNode }

/** Accepts ZIP files dropped anywhere on the page. */
export const DropZone = ({ maxBytes, children }: Props) => (
  <Zone
    label="Drop plugin archives to preview them"
    onFiles={(files) => installQueue.add(files, maxBytes)}
  >
    {children}
  </Zone>
)

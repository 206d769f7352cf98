'use client'
import type { ReactNode } from 'react'
import { useImage } from './image-by-reference'
import { WithImage } from './image-value'

type Props = { field: string; value: string; full?: boolean; children: ReactNode }

/** What names an image that a field refers to, with the image where there is one. */
export function ImageReference({ field, value, full, children }: Props) {
  const address = useImage(field, value)
  if (!address) return children
  return (
    <WithImage address={address} full={full}>
      {children}
    </WithImage>
  )
}

'use client'
import { toast } from 'sonner'
import { messageOf } from '@/lib/errors'
import type { Image } from '@/lib/images/contract'
import type { Framing } from '@/lib/images/framing-contract'
import { patchImage, refreshImages } from '../image-queries'

/** Saves crop and focal point, and offers what they were before for as long as the notice stands. */
export async function saveFraming(image: Image, framing: Framing): Promise<void> {
  const { fileId, crop, focalPoint } = image
  await patchImage(fileId, framing)
  await refreshImages()
  const undo = async () => {
    try {
      await patchImage(fileId, { crop, focalPoint })
      await refreshImages()
      toast.success('Crop and focal point are what they were before')
    } catch (error) {
      toast.error(`Crop and focal point stay as they were saved: ${messageOf(error)}`)
    }
  }
  toast.success('Crop and focal point are saved', {
    action: { label: 'Undo', onClick: () => void undo() },
  })
}

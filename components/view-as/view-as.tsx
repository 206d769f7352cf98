'use client'
import dynamic from 'next/dynamic'

/** The records of an entity as somebody else sees them. Loaded apart: the page is rarely shown so. */
export const ViewAs = dynamic(() => import('./view-as-frame'), { ssr: false })

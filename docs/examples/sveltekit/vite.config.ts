import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'
import { defineConfig } from 'vite'

// SvelteKit accepts forms from this origin only. Without it, SvelteKit assumes https.
const paths = { origin: process.env.AUTH_URL }

export default defineConfig({ plugins: [sveltekit({ adapter: adapter(), paths })] })

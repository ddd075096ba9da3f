import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'
import { defineConfig } from 'vite'

// Forms are taken from this origin only. Without it, SvelteKit takes itself to be at https.
const paths = { origin: process.env.AUTH_URL }

export default defineConfig({ plugins: [sveltekit({ adapter: adapter(), paths })] })

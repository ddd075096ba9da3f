import { Content } from 'vitepress'
import { defineComponent, h, onBeforeUnmount, onMounted, ref } from 'vue'
import { createPlayer } from './player.ts'

/** The landing page: its Markdown, with a player for the recorded sign-in. */
export const Landing = defineComponent({
  name: 'LandingPage',
  setup() {
    const root = ref<HTMLElement>()
    let stop: (() => void) | undefined
    onMounted(() => {
      const run = root.value?.querySelector<HTMLElement>('.run')
      if (run) stop = createPlayer(run)
    })
    onBeforeUnmount(() => stop?.())
    return () => h('main', { class: 'landing', ref: root }, [h(Content)])
  },
})

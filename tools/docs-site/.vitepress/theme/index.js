import DefaultTheme from 'vitepress/theme-without-fonts';
import Layout from './Layout.vue';
import { boostDocument, processTerm } from './search.js';
import './style.css';

export default {
  extends: DefaultTheme,
  Layout,
  enhanceApp({ siteData }) {
    // Functions cannot be part of the configuration, see there.
    Object.assign(siteData.value.themeConfig.search.options.miniSearch.searchOptions, { boostDocument, processTerm });
  },
};

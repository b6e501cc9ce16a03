"""The real companion as Home Assistant meets it: by mDNS and address, before its models are there, with real ears and voice."""

from __future__ import annotations
